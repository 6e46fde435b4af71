import { closeDialog, openDialog } from '../dialog.ts'
import { h } from '../dom.ts'
import { loadService } from '../service.ts'
import { keepSession, readSession, shortAddress } from '../session.ts'
import { listAnnounced } from './announced.ts'
import { type ConnectedWallet, connectAnnounced, connectDemo, loadDemoWallets, openWallet } from './connected-wallet.ts'
import { WalletRefused } from './wallet-refused.ts'

/** Shows the connected wallet, or the wallets to choose from. Resolves when the dialog is closed. */
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
 * The wallet to sign with: the connected one, else the one that a person chooses now.
 * @throws WalletRefused where none is chosen, or it declines
 */
export async function requireWallet(): Promise<ConnectedWallet> {
  const connected = await openWallet()
  if (connected !== null) return connected
  keepSession(null)
  await chooseWallet()
  const chosen = await openWallet()
  if (chosen === null) throw new WalletRefused('No wallet is connected. Nothing was signed.')
  return chosen
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
        'This is a local chain: its money is worth nothing, and its wallets are public test accounts. Other wallets are not ' +
          'asked here, because what they sign would be valid on the real chain as well.',
      ),
      demoWallets.length === 0 &&
        h('p', { class: 'note bad' }, 'The node is none of a local stack, so there are none.'),
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
      ? h('p', {}, 'No wallet has announced itself to this page. Install one in this browser, then open this again.')
      : h('p', {}, `It signs for payments in USDC on ${service.chain.name}; you need no ether.`),
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
