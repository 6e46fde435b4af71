import type { Client } from '../../../client/src/index.ts'
import { usdcText } from '../../words/amount.ts'
import { openDialog } from '../dialog.ts'
import { fill, find, h } from '../dom.ts'
import { showWriteForm } from '../forms/write-form.ts'
import { shortAddress } from '../session.ts'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'
import { type Account, type AccountActs, accountActs } from './account-acts.ts'
import { changeWithdrawalAddress, registerWithdrawalAddress } from './withdrawal-address.ts'

/** Shows the money of a wallet beside its work, with what can be done with it. */
export async function showAccount(wallet: ConnectedWallet, client: Client): Promise<void> {
  const [head, aside] = [find('#my-wallet'), find('#my-account')]
  if (head === null || aside === null) return
  const account = await readAccount(client)
  if (account === null) {
    fill(
      aside,
      h('p', { class: 'note bad' }, 'What this wallet holds cannot be read now. Load the page again in a moment.'),
    )
    return
  }
  const { address } = wallet.account
  fill(
    head,
    h(
      'p',
      { class: 'row' },
      h('button', { class: 'copy hex', type: 'button', 'data-copy': address, title: address }, shortAddress(address)),
      h('span', { class: 'soft' }, `${usdcText(account.balance)} USDC`),
    ),
  )
  const acts: AccountActs = accountActs(account)
  fill(
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
      acts.map(({ form }) =>
        h(
          'button',
          {
            class: 'button quiet',
            type: 'button',
            onclick: () =>
              void openDialog(form.heading, (dialog) => {
                queueMicrotask(() => showWriteForm(dialog, wallet, form))
                return []
              }),
          },
          form.heading,
        ),
      ),
    ),
  )
}

/** Null: one of the reads failed, and no amount is said in its place. */
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

/** Base units of 18 decimals, to two of them. */
function tokens(units: bigint): string {
  return usdcText(units / 10n ** 12n)
}
