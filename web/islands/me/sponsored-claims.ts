import type { components } from '../../../client/src/index.ts'
import { openDialog } from '../dialog.ts'
import { h } from '../dom.ts'
import { showWriteForm } from '../forms/write-form.ts'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'

type Task = components['schemas']['Task']

/** The rewards of sponsors that a wallet can claim for its tasks, with a button for each. */
export function sponsoredClaims(wallet: ConnectedWallet, tasks: readonly Task[]): HTMLElement[] {
  return tasks.flatMap((task) =>
    (task.sponsoredTaskRewards ?? [])
      .filter(({ state }) => state === 'credited')
      .map(({ vaultId, tokenSymbol }) =>
        row(wallet, { task, vaultId, token: tokenSymbol ?? 'a token without a name' }),
      ),
  )
}

function row(wallet: ConnectedWallet, { task, vaultId, token }: { task: Task; vaultId: string; token: string }) {
  const title = task.description.split('\n')[0]?.slice(0, 60) ?? ''
  const claim = () =>
    openDialog('Claim the sponsor’s reward', (dialog) => {
      queueMicrotask(() =>
        showWriteForm(dialog, wallet, {
          heading: 'Claim the sponsor’s reward',
          about: 'The vault pays it to your registered withdrawal address.',
          fields: [{ kind: 'address', name: 'to', label: 'Your withdrawal address', hint: 'As you registered it.' }],
          ask: async ({ to }) => ({
            name: 'claimSponsoredReward',
            input: { vaultId, taskId: task.id, to },
            words: {
              act: 'Claim',
              title: `Claiming the sponsor’s reward of “${title}”`,
              effects: [
                ['Token', token],
                ['To', String(to)],
              ],
              done: 'Claimed.',
            },
            page: null,
          }),
        }),
      )
      return []
    })
  return h(
    'li',
    {},
    h('h2', {}, h('a', { href: `/tasks/${task.referenceCode}` }, title)),
    h(
      'p',
      { class: 'pay' },
      h('button', { class: 'button quiet', type: 'button', onclick: () => void claim() }, 'Claim'),
    ),
    h('p', { class: 'meta' }, `A sponsor’s reward in ${token}`),
  )
}
