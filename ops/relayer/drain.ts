import { type Address, formatEther, type Hex, keccak256, parseAbi, toHex } from 'viem'
import { type Deployment, listContracts } from '../../api/chain/deployment.ts'
import type { Relayer, UnsignedTransaction } from '../../api/relayer/signers/relayer.ts'
import { insertAttempt } from '../../api/relayer/transactions/attempts.queries.ts'
import {
  claimThisNonce,
  getNextNonce,
  openNonceSequence,
} from '../../api/relayer/transactions/nonce-sequences.queries.ts'
import type { Place } from './place.ts'
import { readRelayer } from './read-relayers.ts'
import type { RelayerIo } from './relayer-io.ts'
import { untilIdle } from './until-idle.ts'

/**
 * Address of the contract on OP Stack chains that computes the L1 fee of a transaction. The chain charges this fee in
 * addition to gas.
 */
const priceOracle = '0x420000000000000000000000000000000000000F'
const priceOracleAbi = parseAbi(['function getL1Fee(bytes) view returns (uint256)'])
/**
 * The transfer of a relayer's ether must pay an L1 fee. The transfer leaves this multiple of the present L1 fee with the
 * relayer, because the fee may rise before the transfer is mined.
 */
const L1_MARGIN = 2n

/**
 * Sends the ether of a retired relayer to an account, after all work of the relayer has ended. The service's tables
 * store the transfer and its nonce, as they do for every transaction of a relayer. If the transfer gets lost, any
 * process of the service can therefore send it again.
 * @throws Error with the step that is required first
 */
export async function drainRelayer(
  place: Place,
  { address, to, isDry }: { address: Address; to: Address; isDry: boolean },
  { say }: Pick<RelayerIo, 'say'>,
): Promise<void> {
  const { client, sql, deployment } = place
  requireReceiver(deployment, { address, to })
  const relayer = (await place.openRelayers()).find((each) => each.address === address)
  if (relayer === undefined) {
    throw new Error(`RELAYER_KEYS and RELAYER_SIGNERS of this command do not name the signer of ${address}.`)
  }
  const { mayRelay, latestNonce } = await readRelayer(place, address)
  if (mayRelay) {
    throw new Error(
      `${address} may still relay: take it out of the settings of every process, then its right (npm run relayer -- remove ${address}).`,
    )
  }
  if (!isDry) await untilIdle(place, address, { isFinal: true, say })
  const transfer = await planTransfer(place, { relayer, to, nonce: latestNonce })
  if (transfer === null) return say(`${address} has nothing that is worth a transfer.`)
  say(`${address} sends ${formatEther(transfer.value)} ether to ${to}`)
  if (isDry) return say('A dry run: nothing was sent.')
  await openNonceSequence(sql, address, BigInt(latestNonce))
  const nonce = await getNextNonce(sql, address)
  const rawTransaction = await relayer.sign({ ...transfer, nonce: Number(nonce) })
  const hash = keccak256(rawTransaction)
  await sql.begin(async (tx) => {
    if (!(await claimThisNonce(tx, address, nonce))) {
      throw new Error(`Another process claimed nonce ${nonce}: one still has this key. Nothing was sent.`)
    }
    const { gas: gasLimit, maxFeePerGas, maxPriorityFeePerGas } = transfer
    const fees = { maxFeePerGas, maxPriorityFeePerGas }
    await insertAttempt(tx, {
      intentId: null,
      relayer: address,
      nonce,
      hash,
      raw: rawTransaction,
      purpose: 'cancellation',
      gasLimit,
      ...fees,
    })
  })
  await client.sendRawTransaction({ serializedTransaction: rawTransaction })
  say(`sent   ${hash} (nonce ${nonce})`)
  const { blockNumber } = await client.waitForTransactionReceipt({ hash })
  say(`mined  in block ${blockNumber}; ${formatEther(await client.getBalance({ address }))} ether are left`)
}

function requireReceiver(deployment: Deployment, { address, to }: { address: Address; to: Address }): void {
  if (to === address) throw new Error('--to is the relayer itself.')
  if (BigInt(to) === 0n || listContracts(deployment).includes(to)) {
    throw new Error(`--to ${to} is no account that could spend it again.`)
  }
}

/**
 * Plans the transfer of the relayer's whole balance minus the fees of the transfer. Returns null if nothing remains
 * after the fees.
 */
async function planTransfer(
  { client, deployment }: Place,
  { relayer, to, nonce }: { relayer: Relayer; to: Address; nonce: number },
): Promise<(UnsignedTransaction & { value: bigint }) | null> {
  const balance = await client.getBalance({ address: relayer.address })
  if (balance === 0n) return null
  const [{ maxFeePerGas, maxPriorityFeePerGas }, gas] = await Promise.all([
    client.estimateFeesPerGas(),
    // The receiver may be a contract.
    client.estimateGas({ account: relayer.address, to, value: 1n }),
  ])
  const fees = { maxFeePerGas, maxPriorityFeePerGas }
  const transaction = { chainId: deployment.chainId, to, data: '0x', nonce, gas, ...fees } as const
  const value = balance - gas * maxFeePerGas - (await findL1Fee(client)) * L1_MARGIN
  return value > 0n ? { ...transaction, value } : null
}

/** Returns the L1 fee for a transfer, in wei; 0 on a chain that charges only gas. */
async function findL1Fee(client: Place['client']): Promise<bigint> {
  if ((await client.getCode({ address: priceOracle })) === undefined) return 0n
  // Incompressible bytes of the length of a signed transfer.
  const bytes: Hex = toHex(Uint8Array.from({ length: 150 }, (_, index) => (index * 167 + 13) % 256))
  return await client.readContract({
    address: priceOracle,
    abi: priceOracleAbi,
    functionName: 'getL1Fee',
    args: [bytes],
  })
}
