import { type Address, formatEther } from 'viem'
import { connect } from '../../scripts/contracts/chain.ts'
import { waitForPending } from '../../scripts/contracts/wait-for-pending.ts'
import type { Place } from './place.ts'
import { PENDING_ADVICE, type RelayerIo } from './relayer-io.ts'

/** Gas of an ether transfer. The L1 fee of a rollup is not included. */
const TRANSFER_GAS = 21_000n

/**
 * Sends ether to each relayer whose balance is below `amountWei`, so that the balance becomes `amountWei`. Before the
 * function reads the balances, it waits until all earlier transfers of the payer are mined. A second run therefore
 * sends nothing twice. Example: with an `amountWei` of 0.05 ether, a relayer with 0.02 ether gets 0.03 ether.
 * @throws Error if the ether cannot be sent; the message tells the operator the cause or the next step
 */
export async function fundRelayers(
  place: Place,
  { relayers, amountWei, isDry }: { relayers: readonly Address[]; amountWei: bigint; isDry: boolean },
  { say, chooseSigner }: RelayerIo,
): Promise<void> {
  const { client } = place
  const signer = await chooseSigner()
  if (signer === null && !isDry) throw new Error('Name the key that pays: --keystore FILE or --ledger.')
  if (signer !== null && !isDry) await waitForPending(client, { account: signer.address, advice: PENDING_ADVICE, say })
  const balances = await Promise.all(relayers.map((address) => client.getBalance({ address })))
  const transfers = relayers.flatMap((relayer, index) => {
    const balance = balances[index] ?? 0n
    const value = amountWei - balance
    say(`${relayer} has ${formatEther(balance)} ether${value > 0n ? `, gets ${formatEther(value)}` : ': enough'}`)
    return value > 0n ? [{ relayer, value }] : []
  })
  const total = transfers.reduce((sum, { value }) => sum + value, 0n)
  const { maxFeePerGas } = await client.estimateFeesPerGas()
  const gasWei = TRANSFER_GAS * BigInt(transfers.length) * maxFeePerGas
  say(`${transfers.length} transfers, ${formatEther(total)} ether in all, and ${formatEther(gasWei)} for gas at most`)
  if (signer !== null) {
    const heldWei = await client.getBalance({ address: signer.address })
    if (heldWei < total + gasWei && transfers.length > 0) {
      throw new Error(`${signer.address} has ${formatEther(heldWei)} ether: too little. Nothing was sent.`)
    }
  }
  if (isDry) return say('A dry run: nothing was sent.')
  if (signer === null || transfers.length === 0) return
  const sender = await connect(place.rpcUrl, signer)
  for (const { relayer, value } of transfers) {
    const hash = await sender.sendTransaction({ to: relayer, value })
    say(`sent   ${formatEther(value)} ether to ${relayer}: ${hash}`)
    const { status, blockNumber } = await sender.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`the transfer ${hash} reverted`)
    say(`mined  in block ${blockNumber}`)
  }
}
