import { loadService } from '../service.ts'
import { openWallet } from '../wallet/connected-wallet.ts'

interface Receipt {
  status?: unknown
  logs?: { address?: unknown; topics?: unknown; data?: unknown }[]
}

/**
 * Returns true if the market contract logged a hash in a transaction. The connected wallet's node provides the receipt.
 * @throws Error if the wallet has no node, or if the node does not know the transaction
 */
export async function isOnChain(hash: string, transaction: string): Promise<boolean> {
  const [wallet, { deployment }] = await Promise.all([openWallet(), loadService()])
  if (!wallet?.provider) throw new Error('The wallet has no node.')
  const receipt = (await wallet.provider.request({
    method: 'eth_getTransactionReceipt',
    params: [transaction],
  })) as Receipt | null
  if (!Array.isArray(receipt?.logs)) throw new Error('The node does not know the transaction.')
  const word = hash.slice(2).toLowerCase()
  return receipt.logs.some(
    ({ address, topics, data }) =>
      String(address).toLowerCase() === deployment.market.toLowerCase() &&
      [...(Array.isArray(topics) ? topics : []), data].some((text) => String(text).toLowerCase().includes(word)),
  )
}
