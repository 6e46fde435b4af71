import type { Account } from '../account/account.ts'
import type { WriteInput, WriteName } from '../api/write-names.ts'
import type { Deployment } from '../deployment/deployment.ts'
import type { Shape } from '../http/shape.ts'
import type { Refusal } from './outcome.ts'

/** What a write must know of its task. */
export interface TaskFacts {
  /** The whole reward, base units: the highest of what the service, the chain and this wallet's own records say. */
  reward: bigint
  /** The reward that it has now, base units: by the chain, else by the service. */
  currentReward: bigint
  /** What a claim stakes, in basis points of the reward. */
  stakeBps: number
  claimRound: number
  /** This wallet made it. */
  isOwn: boolean
  /** The text to sign that the service offers for an action, by the action; compared, never signed. */
  offered: Record<string, string | null>
}

/** What the body of a write is built from. */
export interface BuildContext {
  account: Account
  deployment: Deployment
  key: string
  /** Null when the write needs none. */
  task: TaskFacts | null
  /** Time of the chain as far as it is known, Unix seconds. */
  now: number
  /** The end of the authorization that the write signed before, Unix seconds; null: none. */
  validBefore: number | null
  /** Where the wallet's withdrawals go, by its own configuration. */
  withdrawalAddress: string | null
  /** An answer of the service, of that form. @throws Refused when it has none */
  read(path: string, query: Record<string, string>, shape: Shape): Promise<Record<string, unknown>>
}

/** A body with its signatures, and the end of the authorization in it, if there is one. */
export interface BuiltBody {
  body: Record<string, unknown> | null
  validBefore?: number
}

/** A relayed write, as this package makes it. */
export interface WriteSpec<Name extends WriteName> {
  /** Below the service's root, braces around parameters. */
  path: string
  /** It can act without a payment, always or in some tasks. */
  isFree: boolean
  needsTask: boolean
  /** The highest price that is paid for it, base units; `exact`: no other one. */
  price(input: WriteInput<Name>, task: TaskFacts | null): { most: bigint; exact?: true }
  /** What it decides beside its price, base units. */
  decides(input: WriteInput<Name>, task: TaskFacts | null): bigint
  /** The reward that the task has by this write. */
  reward?(input: WriteInput<Name>): bigint | null
  build(input: WriteInput<Name>, context: BuildContext): Promise<BuiltBody>
}

/** The client refuses a write: thrown inside of the engine, and a value outside of it. */
export class Refused extends Error {
  readonly refusal: Refusal

  constructor(reason: string, message: string, more: Partial<Refusal> = {}) {
    super(message)
    this.refusal = { reason, message, status: null, ...more }
  }
}
