import { closeDialog, openDialog } from '../dialog.ts'
import { h } from '../dom.ts'
import { loadService } from '../service.ts'
import { keepSession, readSession, shortAddress } from '../session.ts'
import { listAnnounced } from './announced.ts'
import { type ConnectedWallet, connectAnnounced, connectDemo, loadDemoWallets, openWallet } from './connected-wallet.ts'
import { WalletRefused } from './wallet-refused.ts'

/**
 * Shows a dialog with the connected wallet, or with the wallets that can be connected. Resolves when the dialog is
 * closed.
 */
export async function showConnection(): Promise<void> {
  const session = readSession()
  if (session === null) return await chooseWallet()
  const { address, name } = session
  await openDialog('Your wallet', (dialog) => [
    h('p', {}, h('strong', {}, name)),
    h('p', {}, h('button', { class: 'copy hex', type: 'button', 'data-copy': address, title: 'Copy' }, address)),
    h(
      'p',
      { class: 'row' },
      h('a', { class: 'button', href: '/me' }, 'My work'),
      h(
        'button',
        { class: 'button quiet', type: 'button', onclick: () => closeDialog(dialog, switchWallet) },
        'Switch',
      ),
      h(
        'button',
        { class: 'button quiet', type: 'button', onclick: () => closeDialog(dialog, () => keepSession(null)) },
        'Disconnect',
      ),
    ),
  ])
}

/**
 * Returns the wallet to sign with. If no wallet is connected, shows a dialog in which the person chooses a wallet.
 * @throws WalletRefused if no wallet is chosen, or if the wallet's owner declines
 */
export async function requireWallet(): Promise<ConnectedWallet> {
  const presentWallet = await openWallet()
  if (presentWallet !== null) return presentWallet
  keepSession(null)
  await chooseWallet()
  const connectedWallet = await openWallet()
  if (connectedWallet === null) throw new WalletRefused('No wallet is connected. Nothing was signed.')
  return connectedWallet
}

function switchWallet(): void {
  keepSession(null)
  void chooseWallet()
}

async function chooseWallet(): Promise<void> {
  const service = await loadService()
  const demoWallets = await loadDemoWallets(service)
  const problem = h('p', { class: 'wrong', role: 'alert' })
  if (demoWallets !== null) {
    await openDialog('Choose a demo wallet', (dialog) => [
      h(
        'p',
        {},
        'This is a local test chain: its money is worth nothing, so try anything. These wallets are public test accounts. Your ' +
          'own wallet is never asked here, because what it signs would be valid on the real chain too.',
      ),
      demoWallets.length === 0 &&
        h('p', { class: 'note bad' }, 'There are none: this service does not run on a local test chain.'),
      h(
        'ul',
        { class: 'tight' },
        demoWallets.map((wallet) =>
          h(
            'li',
            {},
            walletButton(wallet.role, wallet.address, () => closeDialog(dialog, () => connectDemo(wallet))),
          ),
        ),
      ),
    ])
    return
  }
  const wallets = await listAnnounced()
  await openDialog('Connect a wallet', (dialog) => [
    wallets.length === 0
      ? h(
          'p',
          {},
          'This browser has no wallet yet. A wallet is a browser extension or app that keeps your money and signs for you. Install one, then load this page again.',
        )
      : h(
          'p',
          {},
          `You pay and are paid in USDC on ${service.chain.name}. You need no other currency: the market pays the network fees.`,
        ),
    h(
      'ul',
      { class: 'tight' },
      wallets.map((wallet) =>
        h(
          'li',
          {},
          walletButton(
            wallet.name,
            null,
            async () => {
              problem.textContent = ''
              try {
                await connectAnnounced(wallet, wallet.provider)
                closeDialog(dialog)
              } catch (error) {
                if (!(error instanceof WalletRefused)) throw error
                problem.textContent = error.message
              }
            },
            wallet.icon,
          ),
        ),
      ),
    ),
    problem,
  ])
}

function walletButton(name: string, address: string | null, choose: () => void, icon: string | null = null) {
  return h(
    'button',
    { class: 'button quiet wide', type: 'button', onclick: choose },
    icon !== null && h('img', { src: icon, alt: '', width: 24, height: 24 }),
    name,
    address !== null && h('span', { class: 'hex soft', title: address }, shortAddress(address)),
  )
}
