import { CALL_SUFFIX } from '../../../protocol/bound-call.ts'
import { type SignedMessage, toSignedMessage } from '../../../protocol/signed/signed-text.ts'
import { NOT_DEPLOYED, takeSignature } from '../../chain/take-signature.ts'
import { refuse } from '../../domain/refusal.ts'
import type { ServiceError } from '../../errors/service-error.ts'
import type { BodySignature, CheckedSignature, TextSignature, TypedDataSignature } from '../relayed-write.ts'
import type { WriteDeps } from '../write-deps.ts'
import { refused } from './admit.ts'

/**
 * Checks, in stage 5, that the acting address made the signature in the body. The signature covers a text (EIP-191) or
 * typed data (EIP-712). The contracts check it again.
 * @throws ServiceError 403 `payment_preflight_rejected`
 */
export async function checkSignature(deps: WriteDeps, bodySignature: BodySignature): Promise<CheckedSignature> {
  return 'typedData' in bodySignature ? await checkTypedData(deps, bodySignature) : await checkText(deps, bodySignature)
}

async function checkText(deps: WriteDeps, textSignature: TextSignature): Promise<CheckedSignature> {
  const plainMessages = listMessages(deps, textSignature)
  const checkedSignature = await takeMessage(deps, textSignature, plainMessages)
  if (checkedSignature !== null) return checkedSignature
  const callMessages = await listCallMessages(deps, textSignature)
  const takenBound = await takeMessage(deps, textSignature, callMessages)
  if (takenBound !== null) return takenBound
  // The hash of a call may disclose a task that the caller may not see, so the answer has only its form.
  const texts = [...plainMessages, ...callMessages].map(
    ({ message, suffix }) => `"${suffix === CALL_SUFFIX ? toForm(message) : message}"`,
  )
  throw invalidSignature(`The signature must be ${textSignature.actor}’s (EIP-191) over exactly ${texts.join(' or ')}.`)
}

/**
 * A message that a wallet may sign. `suffix`: the end of the message, with which the forwarder rebuilds the message.
 */
interface Message {
  message: SignedMessage
  suffix: string
}

function listMessages({ config }: WriteDeps, { text, suffixes = [''], otherMessage }: TextSignature): Message[] {
  const messages = suffixes.map((suffix) => ({ message: toSignedMessage(config.SERVICE_NAME, text, suffix), suffix }))
  return otherMessage === undefined ? messages : [...messages, { message: otherMessage, suffix: '' }]
}

function toForm(callMessage: string): string {
  return callMessage.replace(/0x[0-9a-f]{64}$/, '<keccak256 of the data of the call>')
}

/**
 * Returns the messages that are valid for this call only. For these messages the service must build the call, and may
 * have to read files. The function is therefore called only if the signature matches none of the messages of
 * `listMessages`.
 */
async function listCallMessages(deps: WriteDeps, { text, callTails }: TextSignature): Promise<Message[]> {
  const tails = (await callTails?.(deps)) ?? []
  return tails.map((tail) => ({ message: toSignedMessage(deps.config.SERVICE_NAME, text, tail), suffix: CALL_SUFFIX }))
}

async function takeMessage(
  deps: WriteDeps,
  { actor, signature }: TextSignature,
  messages: readonly Message[],
): Promise<CheckedSignature | null> {
  for (const { message, suffix } of messages) {
    const takenSignature = await takeSignature(deps.chain, { address: actor, message, signature })
    if (takenSignature.problem === undefined) return { actor, signature: takenSignature.signature, suffix }
    if (takenSignature.problem === 'wallet_not_deployed') throw notDeployed()
  }
  return null
}

async function checkTypedData(
  deps: WriteDeps,
  { actor, signature, typedData }: TypedDataSignature,
): Promise<CheckedSignature> {
  const takenSignature = await takeSignature(deps.chain, { address: actor, typedData, signature })
  if (takenSignature.problem === undefined) return { actor, signature: takenSignature.signature, suffix: '' }
  if (takenSignature.problem === 'wallet_not_deployed') throw notDeployed()
  const { primaryType, domain } = typedData
  throw invalidSignature(
    `The signature must be ${actor}’s (EIP-712) over exactly this ${primaryType} in the domain of ${domain?.verifyingContract}.`,
  )
}

function notDeployed(): ServiceError {
  return refused(refuse(403, 'wallet_not_deployed', NOT_DEPLOYED, { field: 'signature' }))
}

function invalidSignature(message: string): ServiceError {
  return refused(refuse(403, 'signature_invalid', message, { field: 'signature' }))
}
