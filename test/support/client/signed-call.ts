import type { Hex } from 'viem'
import { toCallDeployment } from '../../../client/src/writes/call-deployment.ts'
import type { Fields, Operation } from '../../../client/src/writes/write-spec.ts'
import type { CallContext, FactName, Facts } from '../../../protocol/operation.ts'
import type { Actor } from '../actors.ts'
import type { Environment } from '../conformance.ts'

/** A call that its owner signed, and the text or the message of the typed data that is to be signed for it. */
interface OwnerCall {
  target: string
  data: Hex
  message: unknown
}

/**
 * Reads what the call of a withdrawal or a switch is made of besides its request.
 * @returns makes the call of the body that is sent; null: the owner signs no call of this operation
 */
export async function readOwnerCall(
  { environment, wallet }: { environment: Environment; wallet: Actor },
  operation: Operation,
  input: Fields,
): Promise<((body: Fields) => OwnerCall) | null> {
  const { ownerSigned } = operation
  if (ownerSigned === undefined) return null
  const context: CallContext<FactName> = {
    // Those that these operations name.
    facts: (await readFacts(environment, wallet, input)) as Facts,
    deployment: toCallDeployment({ ...environment.chain.deployment, local: true }),
    actor: wallet.address,
  }
  return (body) => {
    const request = operation.normalise({ ...input, ...body })
    const message = ownerSigned.message(request, context)
    const { target, data } = operation.call(request, context)
    return {
      target: target.toLowerCase(),
      data,
      message: 'text' in message ? `service:${message.text}` : message.typedData.message,
    }
  }
}

async function readFacts(
  { chain, get }: Environment,
  { address }: Actor,
  { vaultId }: Fields,
): Promise<Partial<Facts>> {
  const { bonusHook } = chain.deployment
  const programme = bonusHook && { programme: bonusHook }
  if (vaultId === undefined) return { ...programme }
  const path = `/sponsored-task-vaults/${vaultId}`
  const { vaultAddress } = (await get(path)).body
  const [{ epoch }] = (await get(`${path}/entitlements?workerAddress=${address}`)).body
  return { ...programme, vault: { address: vaultAddress.toLowerCase(), epoch: BigInt(epoch) } }
}
