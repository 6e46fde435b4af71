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

/**
 * The placeholder for the signature of a paid write. The payment already proves who acts, but the field must not be
 * empty.
 */
const NO_SIGNATURE = '0x00'

/**
 * A function that returns the suffix of a signed message. The suffix binds the message to the contract call.
 * @throws Refused
 */
type TailOf = (input: Fields) => Promise<string>

/** A request without its signature, and its normalised input. */
export interface PlannedRequest {
  request: Fields
  input: Fields
  /** The expiry of the authorization in the request, in Unix seconds; null if the request contains no authorization. */
  validBefore: number | null
  /**
   * Signs the request; null if the request has no signature.
   * @throws Refused, SigningError
   */
  sign: (() => Promise<Hex>) | null
}

/**
 * Builds and normalises the request of a write from its arguments.
 * @param options `task`: the facts of the task, or null if the write needs none; `tailOf`: returns the text that is
 * appended to the signed message and that binds the message to the contract call
 * @throws Refused
 */
export function planRequest(
  operation: Operation,
  inputFields: Fields,
  { account, task, tailOf }: { account: Account; task: TaskFacts | null; tailOf?: TailOf },
): PlannedRequest {
  const { actorField, signed } = operation
  if (actorField === undefined) {
    return { request: inputFields, validBefore: null, sign: null, input: normaliseRequest(operation, inputFields) }
  }
  const request = { ...inputFields, [actorField]: account.address }
  const input = normaliseRequest(operation, { ...request, signature: NO_SIGNATURE })
  const sign = async (): Promise<Hex> =>
    signed === undefined
      ? NO_SIGNATURE
      : await account.signMessage({ message: await textToSign(operation, input, { task, ...(tailOf && { tailOf }) }) })
  return { request, validBefore: null, sign, input }
}

/**
 * Normalises a request that the client has built itself, such as a withdrawal. `operation` determines the data that the
 * wallet signs.
 * @throws Refused
 */
export function planBuilt(
  operation: Operation,
  { request, validBefore, facts }: BuiltRequest,
  { account, deployment }: { account: Account; deployment: Deployment },
): PlannedRequest {
  const input = normaliseRequest(operation, { ...request, signature: NO_SIGNATURE })
  const { ownerSigned } = operation
  if (ownerSigned === undefined) throw new Error(`${operation.name} is signed by no owner`)
  const context = {
    // The message of a withdrawal needs fewer facts than its call.
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

/**
 * Returns the signed body of a request; null if the write has no body.
 * @throws Refused, SigningError
 */
export async function signRequest({ bodyless }: Operation, { request, sign }: PlannedRequest): Promise<Fields | null> {
  if (bodyless === true) return null
  return sign === null ? request : { ...request, signature: await sign() }
}

/**
 * Returns the body with a placeholder for the signature, for a request that must not take effect. Returns null if the
 * write has no body.
 */
export function unsignedBody({ bodyless }: Operation, { request, sign }: PlannedRequest): Fields | null {
  if (bodyless === true) return null
  return sign === null ? request : { ...request, signature: NO_SIGNATURE }
}

/**
 * Returns the lowest and the highest acceptable price of a write, in base units of USDC. The highest price is the fee
 * plus the escrow amount. If the price depends on facts of a task, the lowest price is zero. Otherwise the lowest price
 * is the escrow amount: a task with less escrow would not be the task that the user asked for.
 */
export function chargeOf(
  { price, facts }: Operation,
  input: Fields,
  task: TaskFacts | null,
): { least: bigint; most: bigint } {
  const { fee, escrow } = price.of(input, task?.present ?? {})
  return { least: facts.length === 0 ? escrow : 0n, most: fee + escrow }
}

/** Returns the amount, in base units of USDC, that a write commits or pays out in addition to its price. */
export function decidedBy(
  { decides }: Operation,
  input: Fields,
  { task, wallet }: { task: TaskFacts | null; wallet: Address },
): bigint {
  const facts = task === null ? {} : { ...task.present, reward: task.mostReward }
  const decisions = decides(input, facts, { wallet: toAddress(wallet) })
  return decisions.reduce((sum, decision) => (decision.asset === 'usdc' ? sum + decision.amount : sum), 0n)
}

/**
 * Normalises a request with the function `normalise` of the request's operation.
 * @throws Refused for invalid arguments
 */
function normaliseRequest({ operationId, normalise }: Operation, request: Fields): Fields {
  try {
    return normalise(request)
  } catch (error) {
    throw new Refused('invalid_input', `The arguments of ${operationId} are not of its form: ${sentenceOf(error)}`)
  }
}

/**
 * Returns the message of an error that the protocol's table of operations threw. For errors of JavaScript and viem,
 * returns a general sentence instead.
 */
export function sentenceOf(error: unknown): string {
  const isOfTable = error instanceof Error && error.name === 'Error'
  return isOfTable ? error.message : 'An argument is missing, of another type or out of range.'
}

/**
 * Returns the text that the wallet signs for a request. If `tailOf` is given, its suffix is appended to the text and
 * binds the text to the contract call. If the service offers a text, the offered text must equal the text that the
 * client builds before it appends the suffix.
 * @throws Refused
 */
async function textToSign(
  { signed }: Operation,
  input: Fields,
  { task, tailOf }: { task: TaskFacts | null; tailOf?: TailOf },
): Promise<string> {
  if (signed === undefined) throw new Error('the operation takes no signature')
  const { verb, taskId, suffixes } = signed
  // The tail names the content; of the other suffixes only the round precedes it.
  const suffix = suffixes(input, task?.present ?? {}).at(tailOf === undefined ? -1 : 0)
  const text = toSignedMessage(SERVICE_NAME, taskText(verb, taskId(input)), suffix)
  const offeredText = task?.offered[verb]
  if (typeof offeredText !== 'string' || offeredText === text)
    return tailOf === undefined ? text : text + (await tailOf(input))
  throw new Refused(
    'invalid_input',
    `The service offers another text to sign than the one of ${verb}; nothing was signed.`,
  )
}
