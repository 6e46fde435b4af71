import type { Client, components } from '../../../client/src/index.ts'
import { amount } from '../../words/amount.ts'
import { openDialog } from '../dialog.ts'
import { h } from '../dom.ts'
import { showWriteForm } from '../forms/write-form.ts'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'

type Task = components['schemas']['Task']
type Reward = components['schemas']['SponsoredTaskReward']

/** Renders the sponsors' rewards that the wallet can claim for the given tasks, with a button for each. */
export function sponsoredClaims(wallet: ConnectedWallet, client: Client, tasks: readonly Task[]): HTMLElement[] {
  return tasks.flatMap((task) =>
    (task.sponsoredTaskRewards ?? [])
      .filter(({ state }) => state === 'credited')
      .map((reward) => row(wallet, client, { task, reward })),
  )
}

function row(wallet: ConnectedWallet, client: Client, { task, reward }: { task: Task; reward: Reward }) {
  const { vaultId, tokenSymbol, tokenDecimals } = reward
  const token = tokenSymbol ?? 'a token without a name'
  const title = task.description.split('\n')[0]?.slice(0, 60) ?? ''
  const claim = () =>
    openDialog('Claim the sponsor’s reward', (dialog) => {
      queueMicrotask(() =>
        showWriteForm(dialog, wallet, {
          heading: 'Claim the sponsor’s reward',
          about: 'The vault pays it to your registered withdrawal address.',
          fields: [{ kind: 'address', name: 'to', label: 'Your withdrawal address', hint: 'As you registered it.' }],
          ask: async ({ to }) => {
            const owedUnits = await readOwed(client, { vaultId, taskId: task.id })
            return {
              name: 'claimSponsoredReward',
              input: { vaultId, taskId: task.id, to },
              words: {
                act: 'Claim',
                title: `Claiming the sponsor’s reward of “${title}”`,
                effects: [
                  [
                    'You receive',
                    `${amount(owedUnits, tokenDecimals)} ${tokenDecimals === null ? 'base units of ' : ''}${token}`,
                  ],
                  ['To', String(to)],
                ],
                done: 'Claimed.',
              },
              page: null,
            }
          },
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

/**
 * Reads the amount, in base units of the vault's token, that a vault owes the connected wallet for a task.
 * @throws Error with a sentence for a person
 */
async function readOwed(
  { http, context }: Client,
  { vaultId, taskId }: { vaultId: string; taskId: string },
): Promise<string> {
  const query = { workerAddress: context.account?.address ?? '', taskId }
  const path = '/api/sponsored-task-vaults/{vaultId}/entitlements'
  const { data } = await http.GET(path, { params: { path: { vaultId }, query } })
  if (data?.[0] === undefined) throw new Error('What the vault owes you cannot be read now. Try again in a moment.')
  return data[0].amount
}
