import { type Hex, toHex } from 'viem'
import type { Chain } from '../../../api/chain/chain.ts'
import { GAS_ABOVE_LIMIT } from '../../../api/chain/run-call.ts'
import { type Actor, anActor } from '../../support/actors.ts'
import type { TestApi } from '../../support/api.ts'
import type { Requirement } from '../../support/payment.ts'
import { START } from '../../support/rows/insert-row.ts'

/** A paid create on a chain that agrees to everything: what is tested is what the service makes of its troubles. */
export interface PaidCreate {
  key: string
  body: Record<string, unknown>
  roundOne(): ReturnType<TestApi['post']>
  roundTwo(): ReturnType<TestApi['post']>
  /** The `PAYMENT-SIGNATURE` of the last second round. */
  header(): string
  /** Of the intent with its key; null: there is none. */
  status(): Promise<string | null>
  /** Of the intent with its key. */
  id(): Promise<string>
}

/** Answers of contracts; `false` to every other question. */
const answers: Readonly<Record<string, unknown>> = { claimableOf: 10n ** 18n, decimals: 18, boundOnlyCounter: 0n }

/** Lets every check of the chain pass, and every simulation succeed whose limit allows `gas`. */
export function agreeToEverything(api: TestApi, gas = 300_000n): void {
  const agreeing: Partial<Chain> = {
    verifyTypedData: async () => true,
    usdcBalance: async () => 10n ** 12n,
    // No nonce is used; every wallet has one reward token.
    readContract: async ({ functionName }) => (answers[functionName] ?? false) as never,
    simulate: async ({ gasLimit }) =>
      gas <= gasLimit
        ? { outcome: 'ok', gas }
        : {
            outcome: 'reverted',
            revert: { errorName: GAS_ABOVE_LIMIT, message: `the call needs ${gas} gas`, data: null },
          },
  }
  Object.assign(api.chain, agreeing)
}

/** A create request with its payment; `terms`: more of its body. */
export function aPaidCreate(
  api: TestApi,
  terms: Record<string, unknown> = {},
  payer = anActor(),
  signature?: Hex,
): PaidCreate {
  return aPaidWrite(api, '/api/tasks', {
    body: { description: 'Translate a page', reward: '1000000', duration: 24, tags: [], ...terms },
    payer,
    ...(signature !== undefined && { signature }),
  })
}

/** A paid request with its payment, which is what the first round asks for. */
export function aPaidWrite(
  api: TestApi,
  path: string,
  {
    body,
    payer: { account },
    signature = `0x${'ab'.repeat(65)}`,
  }: { body: Record<string, unknown>; payer: Actor; signature?: Hex },
): PaidCreate {
  const key = crypto.randomUUID()
  const headers = { 'X-Service-Idempotency-Key': key }
  const roundOne = () => api.post(path, body, headers)
  let header = ''
  const nonce = toHex(crypto.getRandomValues(new Uint8Array(32)))
  const find = async () =>
    (await api.sql<{ id: string; status: string }[]>`select id, status from intents where idempotency_key = ${key}`)[0]
  return {
    key,
    body,
    roundOne,
    header: () => header,
    status: async () => (await find())?.status ?? null,
    id: async () => (await find())?.id ?? '',
    roundTwo: async () => {
      const { deployment } = api.deps
      const accepted: Requirement = (await roundOne()).body.accepts?.[0] ?? {}
      const authorization = {
        from: account.address,
        to: deployment.forwarder,
        value: accepted.amount,
        validAfter: '0',
        nonce,
        validBefore: String(START + 300n),
      }
      const payload = { x402Version: 2, accepted, payload: { signature, authorization } }
      header = Buffer.from(JSON.stringify(payload)).toString('base64')
      return await api.post(path, body, { ...headers, 'PAYMENT-SIGNATURE': header })
    },
  }
}
