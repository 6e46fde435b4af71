import type { Address, Hex } from 'viem'
import { toAddress } from '../../../protocol/normalise.ts'
import type { Facts } from '../../../protocol/operation.ts'
import { toSignedMessage } from '../../../protocol/signed/signed-text.ts'
import { taskText } from '../../../protocol/signed/task-texts.ts'
import type { Account } from '../account/account.ts'
import type { Deployment } from '../deployment/deployment.ts'
import { SERVICE_NAME } from '../payments/payment-text.ts'
import { toCallDeployment } from './call-deployment.ts'
import { type BuiltRequest, type Fields, type Operation, Refused, type TaskFacts } from './write-spec.ts'

/** Stands in the request of a paid write whose payer is the proof of who acts: the field must not be empty. */
const NO_SIGNATURE = '0x00'

/** Makes the tail that binds the text of a request to its call. @throws Refused */
type TailOf = (input: Fields) => Promise<string>

/** A request before it is signed, and what its entry makes of it. */
export interface PlannedRequest {
  request: Fields
  input: Fields
  /** The end of the authorization in it, Unix seconds; null: it has none. */
  validBefore: number | null
  /** Makes the signature in it; null: it has none. @throws Refused, SigningError */
  sign: (() => Promise<Hex>) | null
}

/**
 * Completes the arguments of a write to a request, and normalises it by its entry.
 * @param options `task`: what the write must know of its task; null: nothing. `tailOf`: binds the signed text to the call
 * @throws Refused
 */
export function planRequest(
  operation: Operation,
  given: Fields,
  { account, task, tailOf }: { account: Account; task: TaskFacts | null; tailOf?: TailOf },
): PlannedRequest {
  const { actorField, signed } = operation
  if (actorField === undefined) {
    return { request: given, validBefore: null, sign: null, input: normaliseRequest(operation, given) }
  }
  const request = { ...given, [actorField]: account.address }
  const input = normaliseRequest(operation, { ...request, signature: NO_SIGNATURE })
  const sign = async (): Promise<Hex> =>
    signed === undefined
      ? NO_SIGNATURE
      : await account.signMessage({ message: await textToSign(operation, input, { task, ...(tailOf && { tailOf }) }) })
  return { request, validBefore: null, sign, input }
}

/** Normalises a request of a withdrawal. Its entry says what is signed. @throws Refused */
export function planBuilt(
  operation: Operation,
  { request, validBefore, facts }: BuiltRequest,
  { account, deployment }: { account: Account; deployment: Deployment },
): PlannedRequest {
  const input = normaliseRequest(operation, { ...request, signature: NO_SIGNATURE })
  const { ownerSigned } = operation
  if (ownerSigned === undefined) throw new Error(`${operation.name} is signed by no owner`)
  const context = {
    // The facts of its message, which are fewer than those of its call.
    facts: facts as Facts,
    deployment: toCallDeployment(deployment),
    actor: toAddress(account.address),
  }
  const message = ownerSigned.message(input, context)
  const sign = () =>
    'text' in message
      ? account.signMessage({ message: toSignedMessage(SERVICE_NAME, message.text) })
      : account.signTypedData(message.typedData)
  return { request, validBefore, input, sign }
}

/** Returns the body of a request; null: it has none. @throws Refused, SigningError */
export async function signRequest({ bodyless }: Operation, { request, sign }: PlannedRequest): Promise<Fields | null> {
  if (bodyless === true) return null
  return sign === null ? request : { ...request, signature: await sign() }
}

/** Returns the body without a signature, for a request that cannot act; null: it has none. */
export function unsignedBody({ bodyless }: Operation, { request, sign }: PlannedRequest): Fields | null {
  if (bodyless === true) return null
  return sign === null ? request : { ...request, signature: NO_SIGNATURE }
}

/**
 * Bounds of the price of a write, base units. An escrow that follows from the request alone is paid as it is: less of it
 * would make another task.
 */
export function chargeOf(
  { price, facts }: Operation,
  input: Fields,
  task: TaskFacts | null,
): { least: bigint; most: bigint } {
  const { fee, escrow } = price.of(input, task?.present ?? {})
  return { least: facts.length === 0 ? escrow : 0n, most: fee + escrow }
}

/** Returns the USDC that a write decides about besides its price, base units. */
export function decidedBy(
  { decides }: Operation,
  input: Fields,
  { task, wallet }: { task: TaskFacts | null; wallet: Address },
): bigint {
  const facts = task === null ? {} : { ...task.present, reward: task.mostReward }
  const decisions = decides(input, facts, { wallet: toAddress(wallet) })
  return decisions.reduce((sum, decision) => (decision.asset === 'usdc' ? sum + decision.amount : sum), 0n)
}

/** @throws Refused for arguments of another form than the entry takes */
function normaliseRequest({ operationId, normalise }: Operation, request: Fields): Fields {
  try {
    return normalise(request)
  } catch (error) {
    throw new Refused('invalid_input', `The arguments of ${operationId} are not of its form: ${sentenceOf(error)}`)
  }
}

/** The sentence of an error of the table; errors of the language and of viem have none for a caller. */
export function sentenceOf(error: unknown): string {
  const isOfTable = error instanceof Error && error.name === 'Error'
  return isOfTable ? error.message : 'An argument is missing, of another type or out of range.'
}

/**
 * The text that binds the most of a request: to its call where the deployment takes such texts. The service's own offer must
 * say the same. @throws Refused
 */
async function textToSign(
  { signed }: Operation,
  input: Fields,
  { task, tailOf }: { task: TaskFacts | null; tailOf?: TailOf },
): Promise<string> {
  if (signed === undefined) throw new Error('the operation takes no signature')
  const { verb, taskId, suffixes } = signed
  // The tail of the call names the content: of the others only the round stands before it.
  const suffix = suffixes(input, task?.present ?? {}).at(tailOf === undefined ? -1 : 0)
  const text = toSignedMessage(SERVICE_NAME, taskText(verb, taskId(input)), suffix)
  const offered = task?.offered[verb]
  if (typeof offered !== 'string' || offered === text) return tailOf === undefined ? text : text + (await tailOf(input))
  throw new Refused(
    'invalid_input',
    `The service offers another text to sign than the one of ${verb}; nothing was signed.`,
  )
}
