import { type Address, keccak256, zeroAddress } from 'viem'
import type { FactName, Facts } from '../../../protocol/operation.ts'
import { type ContractCall, isForwarded } from '../../../protocol/relay.ts'
import type { Account } from '../account/account.ts'
import type { ClientContext } from '../context.ts'
import { fromBase64 } from '../http/base64.ts'
import { sha256Hex } from '../payments/payment-text.ts'
import { CALL_UNKNOWN, toCallDeployment } from './call-deployment.ts'
import { readCallFacts } from './call-facts.ts'
import { sentenceOf } from './write-request.ts'
import { type Fields, type Operation, Refused, type TaskFacts } from './write-spec.ts'

/** The parts of a client that are needed to encode contract calls. */
export type CallSource = { account: Account } & Pick<
  ClientContext,
  'deployment' | 'chain' | 'url' | 'fetch' | 'identity' | 'timing'
>

/**
 * Encodes the contract call that the service will make for a request. The client uses only facts that it reads itself.
 * @throws Refused when a fact cannot be read
 */
export async function encodeWrite(
  context: CallSource,
  operation: Operation,
  { input, task }: { input: Fields; task: TaskFacts | null },
): Promise<ContractCall> {
  const { kind, modes = [], facts: names } = operation
  if (!isForwarded(kind)) throw new Refused(CALL_UNKNOWN, 'The call has its signature in it.')
  const actor = modes.includes('open') ? zeroAddress : (context.account.address.toLowerCase() as Address)
  try {
    // `readCallFacts` reads each name that the entry lists.
    const facts = (await readCallFacts(context, names, { input, task })) as Pick<Facts, FactName>
    return operation.call(await withHashes(input), { facts, deployment: toCallDeployment(context.deployment), actor })
  } catch (error) {
    if (error instanceof Refused) throw error
    throw new Refused(CALL_UNKNOWN, `The call cannot be made: ${sentenceOf(error)}`)
  }
}

/** Returns the input, with the size and the hashes added to each file. */
async function withHashes(input: Fields): Promise<Fields> {
  const { artifacts } = input
  return Array.isArray(artifacts) ? { ...input, artifacts: await Promise.all(artifacts.map(withHash)) } : input
}

async function withHash(file: Fields): Promise<Fields> {
  if (typeof file.file !== 'string') return file
  const bytes = fromBase64(file.file)
  return { ...file, sizeBytes: bytes.length, sha256Hash: await sha256Hex(bytes), keccak256Hash: keccak256(bytes) }
}
