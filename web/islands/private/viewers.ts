import type { Client } from '../../../client/src/index.ts'
import { fillDialog, openDialog } from '../dialog.ts'
import { h } from '../dom.ts'
import { renderFields } from '../forms/render-form.ts'

const HEADING = 'Who is invited'

/**
 * Shows the wallets that are invited to a private task. The requester can invite more wallets, and withdraw
 * invitations.
 */
export async function showViewers(client: Client, taskId: string): Promise<void> {
  await openDialog(HEADING, (dialog) => {
    void list(dialog, client, taskId)
    return [h('p', { role: 'status' }, 'Reading who is invited…')]
  })
}

async function list(dialog: HTMLDialogElement, client: Client, taskId: string, problem = ''): Promise<void> {
  const path = '/api/tasks/{taskId}/private-access/viewers'
  const params = { path: { taskId } }
  const { data, error } = await client.http.GET(path, { params })
  if (data === undefined) {
    fillDialog(dialog, HEADING, [h('p', { class: 'note bad' }, error?.error ?? 'It cannot be read now.')])
    return
  }
  const { elements, read } = renderFields([{ kind: 'address', name: 'viewerAddress', label: 'Invite a wallet' }])
  const invite = async (event: Event) => {
    event.preventDefault()
    const viewerAddress = read()?.viewerAddress as string | undefined
    if (viewerAddress === undefined) return
    const answer = await client.http.POST(path, { params, body: { viewerAddress } })
    await list(dialog, client, taskId, answer.error?.error)
  }
  const remove = async (viewerAddress: string) => {
    const answer = await client.http.DELETE('/api/tasks/{taskId}/private-access/viewers/{viewerAddress}', {
      params: { path: { taskId, viewerAddress } },
    })
    await list(dialog, client, taskId, answer.error?.error)
  }
  fillDialog(dialog, HEADING, [
    h('p', {}, 'They see the task and may act on it.'),
    data.length === 0 && h('p', { class: 'soft' }, 'No wallet is invited.'),
    h(
      'ul',
      { class: 'tight' },
      data.map(({ viewerAddress }) =>
        h(
          'li',
          { class: 'row' },
          h('span', { class: 'hex' }, viewerAddress),
          h(
            'button',
            {
              class: 'copy',
              type: 'button',
              'aria-label': `Take back the invitation of ${viewerAddress}`,
              onclick: () => void remove(viewerAddress),
            },
            'take back',
          ),
        ),
      ),
    ),
    h(
      'form',
      { novalidate: true, onsubmit: (event) => void invite(event) },
      elements,
      problem !== '' && h('p', { class: 'wrong', role: 'alert' }, problem),
      h('p', { class: 'row' }, h('button', { class: 'button' }, 'Invite')),
    ),
  ])
}
