import type { Page } from 'playwright-core'
import { localNetwork } from '../../../scripts/contracts/network.ts'
import type { Actor } from '../../support/actors.ts'

/** How a wallet of a test behaves. */
export interface Behaviour {
  /** The chain that it is on at first; that of the market unless given. */
  chainId?: number
  /** It does not have the market's chain, and adds it when it is asked to. */
  addsChain?: boolean
  /** The method that its owner declines. */
  refuses?: string
  /** It signs a payment only when the test says so. */
  isLate?: boolean
  /** Asks its node; without one it refuses to read the chain. */
  readChain?: (method: string, params: unknown[]) => Promise<unknown>
}

/** A wallet that has announced itself to a page, EIP-6963. */
export interface AnnouncedTestWallet {
  /** The methods that pages have called, in their order. */
  methods: readonly string[]
  switchAccount(address: string): Promise<void>
  /** Signs what a late wallet was asked for. */
  signNow(): void
}

/** Announces a wallet to a page, with the key of an actor outside of the page. */
export async function announceWallet(
  page: Page,
  actor: Actor,
  { readChain, ...behaviour }: Behaviour = {},
): Promise<AnnouncedTestWallet> {
  const { account } = actor
  const methods: string[] = []
  await page.exposeFunction('noteCall', (method: string) => methods.push(method))
  let signNow = () => {}
  const ready = new Promise<void>((resolve) => {
    signNow = resolve
  })
  await page.exposeFunction('signForTest', async (method: string, params: string[]) => {
    if (behaviour.isLate === true && method !== 'personal_sign') await ready
    if (method === 'personal_sign') return await account.signMessage({ message: { raw: params[0] as `0x${string}` } })
    const { types, domain, primaryType, message } = JSON.parse(params[1] ?? '')
    const { EIP712Domain: _, ...others } = types
    return await account.signTypedData({ types: others, domain, primaryType, message })
  })
  await page.exposeFunction('readForTest', async (method: string, params: unknown[]) => {
    if (readChain === undefined) return { error: { code: 4200, message: 'Unsupported method.' } }
    try {
      return { result: await readChain(method, params) }
    } catch (error) {
      const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown }
      return { error: { code, message, data } }
    }
  })
  await page.addInitScript(install, { address: account.address, marketChain: localNetwork.chainId, ...behaviour })
  return {
    methods,
    signNow: () => signNow(),
    switchAccount: (address) =>
      page.evaluate((next) => {
        ;(globalThis as unknown as { walletAccount: string }).walletAccount = next
      }, address),
  }
}

/** Runs in the page. */
function install({
  address,
  marketChain,
  chainId = marketChain,
  addsChain = false,
  refuses,
}: Omit<Behaviour, 'readChain'> & { address: string; marketChain: number }): void {
  const page = globalThis as unknown as {
    noteCall(method: string): Promise<unknown>
    walletAccount: string
    signForTest(method: string, params: unknown): Promise<string>
    readForTest(method: string, params: unknown): Promise<{ result?: unknown; error?: object }>
    addEventListener(name: string, listener: () => void): void
    dispatchEvent(event: unknown): void
    CustomEvent: new (name: string, init: { detail: unknown }) => unknown
  }
  page.walletAccount = address
  let chain = chainId
  let hasChain = !addsChain
  const fail = (code: number, message: string) => Object.assign(new Error(message), { code })
  const request = async ({ method, params }: { method: string; params?: unknown }) => {
    await page.noteCall(method)
    if (method === refuses) throw fail(4001, 'User rejected the request.')
    switch (method) {
      case 'eth_requestAccounts':
      case 'eth_accounts':
        return [page.walletAccount]
      case 'eth_chainId':
        return `0x${chain.toString(16)}`
      case 'wallet_switchEthereumChain':
        if (!hasChain) throw fail(4902, 'Unrecognized chain.')
        chain = marketChain
        return null
      case 'wallet_addEthereumChain':
        hasChain = true
        chain = marketChain
        return null
      case 'personal_sign':
      case 'eth_signTypedData_v4':
        return await page.signForTest(method, params)
      default: {
        const { result, error } = await page.readForTest(method, params)
        if (error) throw Object.assign(new Error(), error)
        return result
      }
    }
  }
  const info = { uuid: 'b9ac4b1e-3b0e-4a6e-a2a0-7b1f2f2f6d11', name: 'Test Wallet', rdns: 'example.test', icon: '' }
  const announce = () =>
    page.dispatchEvent(new page.CustomEvent('eip6963:announceProvider', { detail: { info, provider: { request } } }))
  page.addEventListener('eip6963:requestProvider', announce)
  announce()
}
