import type { Address } from 'viem'
import { paymentForwarderAbi } from '../../abis/payment-forwarder.ts'
import type { Relayer } from '../../api/relayer/signers/relayer.ts'
import type { SignerKind } from '../../settings/signer-urls.ts'
import { type BoundWork, listBoundWork } from './bound-work.queries.ts'
import type { Place } from './place.ts'

/** The state of a relayer on the chain and in the tables of the service. */
export interface RelayerReading {
  address: Address
  /** Kind of the relayer's signer; null if the settings of this command do not name the relayer. */
  signer: SignerKind | null
  /** True if the forwarder accepts calls from the relayer. */
  mayRelay: boolean
  balanceWei: bigint
  /** Number of the relayer's mined transactions. */
  latestNonce: number
  /** Number of the relayer's mined transactions plus the number of its transactions in the node's pool. */
  pendingNonce: number
  /** The relayer's unfinished work; null if the relayer never signed for this service. */
  work: BoundWork | null
}

/** Reads the state of the relayers in the settings, and of all relayers that ever signed for this service. */
export async function readRelayers(
  place: Place,
  relayers: readonly Pick<Relayer, 'address' | 'kind'>[],
): Promise<RelayerReading[]> {
  const works = await listBoundWork(place.sql)
  const addresses = new Set([...relayers, ...works].map(({ address }) => address))
  return await Promise.all(
    [...addresses].map(async (address) => ({
      ...(await readOnChain(place, address)),
      signer: relayers.find((relayer) => relayer.address === address)?.kind ?? null,
      work: works.find((work) => work.address === address) ?? null,
    })),
  )
}

/** Reads the state of one relayer. */
export async function readRelayer(place: Place, address: Address): Promise<Omit<RelayerReading, 'signer'>> {
  const [onChain, works] = await Promise.all([readOnChain(place, address), listBoundWork(place.sql)])
  return { ...onChain, work: works.find((work) => work.address === address) ?? null }
}

async function readOnChain({ client, deployment }: Place, address: Address) {
  const [mayRelay, balanceWei, latestNonce, pendingNonce] = await Promise.all([
    client.readContract({
      address: deployment.forwarder,
      abi: paymentForwarderAbi,
      functionName: 'relayers',
      args: [address],
    }),
    client.getBalance({ address }),
    client.getTransactionCount({ address, blockTag: 'latest' }),
    client.getTransactionCount({ address, blockTag: 'pending' }),
  ])
  return { address, mayRelay, balanceWei, latestNonce, pendingNonce }
}
