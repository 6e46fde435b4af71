import { type Client, withdrawalAddressMessage } from '../../../client/src/index.ts'
import { fillDialog, openDialog } from '../dialog.ts'
import { h } from '../dom.ts'
import { renderFields } from '../forms/render-form.ts'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'
import { keepConfig } from '../write/open-client.ts'
import { refreshPage } from '../write/refresh-page.ts'

/**
 * Shows a dialog that registers the address to which a wallet's withdrawals are sent. After the registration the dialog
 * shows the recovery code, which is never shown again.
 */
export async function registerWithdrawalAddress({ account }: ConnectedWallet, { http }: Client): Promise<void> {
  const { elements, read } = renderFields([
    { kind: 'address', name: 'to', label: 'Withdrawals go to', hint: 'It may be this wallet itself.' },
  ])
  const problem = h('p', { class: 'wrong', role: 'alert' })
  await openDialog('Register a withdrawal address', (dialog) => {
    const register = async (event: Event) => {
      event.preventDefault()
      const withdrawalAddress = read()?.to as string | undefined
      if (withdrawalAddress === undefined) return
      problem.textContent = ''
      try {
        const signature = await account.signMessage({ message: withdrawalAddressMessage(withdrawalAddress) })
        const { data, error } = await http.POST('/api/wallet/set-withdrawal-address', {
          body: { walletAddress: account.address, withdrawalAddress, signature },
        })
        if (data === undefined) throw new Error(error?.error ?? 'The service refused it.')
        keepConfig(account.address, { withdrawalAddress })
        showCode(dialog, data.accountRecoveryCode)
      } catch (error) {
        problem.textContent = `${(error as Error).message} Nothing was registered.`
      }
    }
    return [
      h(
        'form',
        { novalidate: true, onsubmit: (event) => void register(event) },
        h(
          'p',
          {},
          'All withdrawals go to this address. To change it later you need a recovery code, which you get next.',
        ),
        elements,
        problem,
        h('p', { class: 'row' }, h('button', { class: 'button' }, 'Sign and register')),
      ),
    ]
  })
  await refreshPage()
}

/**
 * Shows a dialog that changes the address of a wallet's withdrawals. The change requires the present recovery code. The
 * dialog then shows a new recovery code once.
 */
export async function changeWithdrawalAddress({ account }: ConnectedWallet, { http }: Client): Promise<void> {
  const { elements, read } = renderFields([
    { kind: 'text', name: 'code', label: 'Recovery code', hint: 'Eight digits, shown when you registered.', most: 20 },
    { kind: 'address', name: 'to', label: 'Withdrawals go to', hint: 'It may be this wallet itself.' },
  ])
  const problem = h('p', { class: 'wrong', role: 'alert' })
  await openDialog('Change the withdrawal address', (dialog) => {
    const change = async (event: Event) => {
      event.preventDefault()
      const values = read()
      if (values === null) return
      problem.textContent = ''
      const newWithdrawalAddress = String(values.to)
      try {
        const { data, error } = await http.POST('/api/wallet/change-withdrawal-address', {
          body: { address: account.address, accountRecoveryCode: String(values.code), newWithdrawalAddress },
        })
        if (data === undefined) throw new Error(error?.error ?? 'The service refused it.')
        keepConfig(account.address, { withdrawalAddress: newWithdrawalAddress })
        showCode(dialog, data.accountRecoveryCode)
      } catch (error) {
        problem.textContent = `${(error as Error).message} The address is as it was.`
      }
    }
    return [
      h(
        'form',
        { novalidate: true, onsubmit: (event) => void change(event) },
        h('p', {}, 'This needs your recovery code. You then get a new code, and the old one no longer works.'),
        elements,
        problem,
        h('p', { class: 'row' }, h('button', { class: 'button' }, 'Change it')),
      ),
    ]
  })
  await refreshPage()
}

function showCode(dialog: HTMLDialogElement, code: string): void {
  fillDialog(dialog, 'Keep this recovery code', [
    h('p', {}, h('button', { class: 'copy hex', type: 'button', 'data-copy': code }, code)),
    h(
      'p',
      { class: 'note bad' },
      'It is shown only now, and without it the address can never be changed. Write it down.',
    ),
    h(
      'p',
      {},
      h('button', { class: 'button', type: 'button', onclick: () => dialog.close() }, 'I have written it down'),
    ),
  ])
}
