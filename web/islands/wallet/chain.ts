import type { Provider } from '../../../client/src/index.ts'
import type { Service } from '../service.ts'
import { sentenceOf, WalletRefused } from './wallet-refused.ts'

const NOT_ADDED = 4902

/**
 * Switches the wallet to the chain of the service. Adds the chain first if the wallet lacks it.
 * @throws WalletRefused if the wallet's owner declines; nothing is signed then
 */
export async function ensureChain(provider: Provider, { chain, deployment }: Service): Promise<void> {
  const chainId = `0x${deployment.chainId.toString(16)}`
  if (await isOn(provider, deployment.chainId)) return
  const toRefusal = (error: unknown) =>
    new WalletRefused(`The wallet stays on another chain than ${chain.name}: ${sentenceOf(error)} Nothing was signed.`)
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
  } catch (error) {
    if (!isNotAdded(error)) throw toRefusal(error)
    const chainParameters = {
      chainId,
      chainName: chain.name,
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: [chain.rpcUrl],
      ...(chain.explorerUrl !== null && { blockExplorerUrls: [chain.explorerUrl] }),
    }
    await provider.request({ method: 'wallet_addEthereumChain', params: [chainParameters] }).catch((cause: unknown) => {
      throw toRefusal(cause)
    })
  }
  if (!(await isOn(provider, deployment.chainId))) throw toRefusal(null)
}

/** Returns true if the wallet is on the chain with this id. */
export async function isOn(provider: Provider, chainId: number): Promise<boolean> {
  return Number(await provider.request({ method: 'eth_chainId' })) === chainId
}

/**
 * Returns true if an error says that the wallet does not have the chain. Some wallets return the error code only inside
 * the error's data.
 */
function isNotAdded(error: unknown): boolean {
  const { code, data } = (error ?? {}) as { code?: unknown; data?: { originalError?: { code?: unknown } } }
  return code === NOT_ADDED || data?.originalError?.code === NOT_ADDED
}
