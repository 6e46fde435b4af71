import type { Client } from '../../../client/src/index.ts'
import { usdcText } from '../../words/amount.ts'
import { openDialog } from '../dialog.ts'
import { fill, find, h } from '../dom.ts'
import { showWriteForm } from '../forms/write-form.ts'
import { update } from '../page/update.ts'
import { isConnected, shortAddress } from '../session.ts'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'
import { type Account, type AccountActs, accountActs } from './account-acts.ts'
import { changeWithdrawalAddress, registerWithdrawalAddress } from './withdrawal-address.ts'

/** The actions that were possible for the wallet at the most recent read of its data. */
let acts: AccountActs = []

/** Shows the amounts and settings of a wallet beside its tasks, with buttons for the possible actions. */
export async function showAccount(wallet: ConnectedWallet, client: Client): Promise<void> {
  const [head, aside] = [find('#my-wallet'), find('#my-account')]
  if (head === null || aside === null) return
  const { address } = wallet.account
  const account = await readAccount(client)
  if (!isConnected(wallet)) return
  if (account === null) {
    // A failed update keeps the earlier content.
    if (aside.childElementCount > 0) return
    fill(
      aside,
      h('p', { class: 'note bad' }, 'What this wallet holds cannot be read now. Load the page again in a moment.'),
    )
    return
  }
  acts = accountActs(account)
  update(
    head,
    h(
      'p',
      { class: 'row' },
      h('button', { class: 'copy hex', type: 'button', 'data-copy': address, title: address }, shortAddress(address)),
      h('span', { class: 'soft' }, `${usdcText(account.balance)} USDC`),
    ),
  )
  update(
    aside,
    h(
      'div',
      { class: 'card' },
      h('h2', {}, 'Wallet'),
      h(
        'dl',
        { class: 'facts' },
        fact('USDC', usdcText(account.balance)),
        account.tokens > 0n && fact('Reward tokens', tokens(account.tokens)),
        account.credit > 0n && fact('Payout that could not be sent', `${usdcText(account.credit)} USDC`),
        fact('Acts as', account.agentId === null ? 'a person' : `agent ${account.agentId}`),
        fact('Withdrawals go to', withdrawalOf(account)),
      ),
      account.withdrawalAddress === null
        ? h(
            'button',
            { class: 'button quiet', type: 'button', onclick: () => void registerWithdrawalAddress(wallet, client) },
            'Register a withdrawal address',
          )
        : h(
            'button',
            { class: 'button quiet', type: 'button', onclick: () => void changeWithdrawalAddress(wallet, client) },
            'Change the withdrawal address',
          ),
      acts.map(({ form: { heading } }) =>
        h('button', { class: 'button quiet', type: 'button', onclick: () => openForm(wallet, heading) }, heading),
      ),
    ),
  )
}

/**
 * Opens the form with the given heading. The form is built from the wallet's data at the last read. If that data allows
 * no form with this heading, opens no form.
 */
function openForm(wallet: ConnectedWallet, heading: string): void {
  const act = acts.find(({ form }) => form.heading === heading)
  if (act === undefined) return
  void openDialog(heading, (dialog) => {
    queueMicrotask(() => showWriteForm(dialog, wallet, act.form))
    return []
  })
}

/**
 * Reads the amounts and settings of the wallet; null if one of the reads failed. Incomplete amounts must not be shown.
 */
async function readAccount({ http, context }: Client): Promise<Account | null> {
  const params = { params: { query: { address: context.account?.address ?? '' } } }
  const [balance, token, credit, withdrawal, identity] = await Promise.all([
    http.GET('/api/wallet/balance', params),
    http.GET('/api/wallet/token-balance', params),
    http.GET('/api/wallet/credit', params),
    http.GET('/api/wallet/withdrawal-address', params),
    http.GET('/api/identity/status', params),
  ])
  if (!balance.data || !token.data || !credit.data || !withdrawal.data || !identity.data) return null
  return {
    balance: BigInt(balance.data.balanceBaseUnits),
    tokens: BigInt(token.data.claimableBaseUnits),
    credit: BigInt(credit.data.creditBaseUnits),
    withdrawalAddress: withdrawal.data.withdrawalAddress,
    agentId: identity.data.agentId,
  }
}

function withdrawalOf({ withdrawalAddress }: Account) {
  return withdrawalAddress === null
    ? 'no address yet'
    : h(
        'button',
        { class: 'copy hex', type: 'button', 'data-copy': withdrawalAddress, title: withdrawalAddress },
        shortAddress(withdrawalAddress),
      )
}

function fact(label: string, value: string | HTMLElement) {
  return [h('dt', {}, label), h('dd', {}, value)]
}

/**
 * Formats reward tokens with two decimals.
 * @param units base units of 18 decimals
 */
function tokens(units: bigint): string {
  return usdcText(units / 10n ** 12n)
}
