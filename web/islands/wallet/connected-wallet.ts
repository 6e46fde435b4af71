import { type Account, fromProvider, type Provider } from '../../../client/src/index.ts'
import { loadService, type Service } from '../service.ts'
import { keepSession, readSession, type Session } from '../session.ts'
import { listAnnounced, type WalletProvider } from './announced.ts'
import { ensureChain, isOn } from './chain.ts'
import type { DemoWallet } from './demo-wallet.ts'
import { WalletRefused } from './wallet-refused.ts'

/** A connected wallet that can sign. */
export interface ConnectedWallet {
  session: Session
  account: Account
  /** Provider of the wallet; null for a demo wallet, which has no node. */
  provider: Provider | null
}

/**
 * Returns the demo wallets of a service with a local deployment. Null: the deployment is not local. Empty list: the
 * service offers no demo wallets.
 */
export async function loadDemoWallets({ demoWallets, deployment }: Service): Promise<readonly DemoWallet[] | null> {
  if (!deployment.local) return null
  if (demoWallets === null) return []
  const { default: wallets } = (await import(demoWallets)) as { default: readonly DemoWallet[] }
  return wallets
}

/**
 * Connects a wallet that announced itself. The wallet asks its owner which account to connect.
 * @throws WalletRefused if the owner declines
 */
export async function connectAnnounced(
  { rdns, name }: { rdns: string; name: string },
  provider: WalletProvider,
): Promise<void> {
  let accounts: unknown
  try {
    accounts = await provider.request({ method: 'eth_requestAccounts' })
  } catch {
    throw new WalletRefused(`${name} did not connect. Nothing was signed.`)
  }
  const [address] = Array.isArray(accounts) ? accounts : []
  if (typeof address !== 'string') throw new WalletRefused(`${name} has no account for this page.`)
  keepSession({ kind: 'announced', wallet: rdns, name, address: fromProvider(provider, address).address })
}

/** Connects a demo wallet. */
export function connectDemo({ role, address }: DemoWallet): void {
  keepSession({ kind: 'demo', wallet: role, name: `Demo wallet ${role}`, address })
}

/**
 * Opens the stored wallet, on the chain of the service. Returns null if no wallet is stored, or if the browser no
 * longer has the stored wallet.
 * @param switchesChain true to ask the wallet's owner to switch to the chain of the service, in the wallet's own
 * window. This window may open only after a click of the visitor; without a click, pass false
 * @throws WalletRefused if the wallet has another account or remains on another chain
 */
export async function openWallet({ switchesChain = true } = {}): Promise<ConnectedWallet | null> {
  const session = readSession()
  if (session === null) return null
  const service = await loadService()
  const demoWallets = await loadDemoWallets(service)
  if (demoWallets !== null) {
    // On a local chain only demo wallets are used: another wallet's signatures would be valid on the real chain too.
    const wallet = demoWallets.find(({ address }) => address === session.address)
    return wallet === undefined ? null : { session, account: wallet.account, provider: null }
  }
  const wallet = (await listAnnounced()).find(({ rdns }) => rdns === session.wallet)
  if (session.kind !== 'announced' || wallet === undefined) return null
  const { provider } = wallet
  await requireAccount(provider, session)
  if (switchesChain) await ensureChain(provider, service)
  else await requireChain(provider, session, service)
  return { session, provider, account: guarded(provider, session, service) }
}

/**
 * Checks that the wallet has the account of the session.
 * @throws WalletRefused if the wallet is locked or has another account
 */
async function requireAccount(provider: Provider, { address, name }: Session): Promise<void> {
  const accounts = await provider.request({ method: 'eth_accounts' })
  const currentAccounts = (Array.isArray(accounts) ? accounts : []).map((one) => String(one).toLowerCase())
  if (currentAccounts.includes(address.toLowerCase())) return
  throw new WalletRefused(
    currentAccounts.length === 0
      ? `${name} is locked, or no longer connected to this page. Nothing was signed.`
      : `${name} has another account now than ${address}. Switch back, or connect again. Nothing was signed.`,
  )
}

/**
 * Checks that the wallet is on the chain of the service.
 * @throws WalletRefused if the wallet is on another chain
 */
async function requireChain(provider: Provider, { name }: Session, { deployment, chain }: Service): Promise<void> {
  if (await isOn(provider, deployment.chainId)) return
  throw new WalletRefused(`${name} is on another chain than ${chain.name}. Nothing was signed.`)
}

/**
 * Returns a signer for the session's address. Before each signature, the signer checks that the wallet still has this
 * address and is on the chain of the service, because the wallet's owner may switch either at any moment.
 */
function guarded(provider: Provider, session: Session, service: Service): Account {
  const account = fromProvider(provider, session.address)
  const check = async () => {
    await requireAccount(provider, session)
    await requireChain(provider, session, service)
  }
  return {
    address: account.address,
    signMessage: async (message) => {
      await check()
      return await account.signMessage(message)
    },
    signTypedData: async (typedData) => {
      await check()
      return await account.signTypedData(typedData)
    },
  }
}
