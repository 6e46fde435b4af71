import type { components } from '../../../client/src/index.ts'
import { fill, h } from '../dom.ts'
import { readDeliveriesAs } from '../files/read-delivery.ts'
import { watchFiles } from '../files/verify-artifacts.ts'
import { fileSize } from '../forms/file-field.ts'
import { apiOrigin, loadService } from '../service.ts'
import { shortAddress } from '../session.ts'

type Submission = components['schemas']['Submission']
type Pitch = components['schemas']['Pitch']

/**
 * Shows the entries of a task that its page does not have, as far as a reader may see them.
 * @param headers who reads: the signed identity of a wallet, or the grant of a password
 */
export async function showEntries(place: HTMLElement, taskId: string, headers: Record<string, string>): Promise<void> {
  const [submissions, pitches] = await Promise.all([
    readRows<Submission>(`/api/tasks/${taskId}/submissions`, headers),
    readRows<Pitch>(`/api/tasks/${taskId}/pitches`, headers),
  ])
  readDeliveriesAs(headers)
  const hidden = submissions.filter(({ id }) => document.querySelector(`[data-delivery="${CSS.escape(id)}"]`) === null)
  const rows = [...pitches.map(pitchRow), ...hidden.map((row) => submissionRow(taskId, row))]
  fill(place, rows.length > 0 ? rows : h('p', { class: 'soft' }, 'No entry yet that you may see.'))
  watchFiles()
}

async function readRows<Row>(path: string, headers: Record<string, string>): Promise<Row[]> {
  const response = await fetch(`${apiOrigin(await loadService())}${path}`, { headers })
  return response.ok ? ((await response.json()) as Row[]) : []
}

function pitchRow({ workerAddress, pitchText }: Pitch): HTMLElement {
  return h(
    'article',
    { class: 'entry' },
    h('p', {}, h('strong', { title: workerAddress }, shortAddress(workerAddress)), ' pitches'),
    h('p', { class: 'plain', dir: 'auto' }, pitchText),
  )
}

function submissionRow(taskId: string, row: Submission): HTMLElement {
  const { id, workerAddress, artifacts, rejectedAt, deliverableHash, submitTxHash } = row
  return h(
    'article',
    { class: `entry${rejectedAt === null ? '' : ' rejected'}` },
    h(
      'p',
      { class: 'row' },
      h('strong', { title: workerAddress }, shortAddress(workerAddress)),
      rejectedAt !== null && h('span', { class: 'state bad' }, 'Rejected'),
    ),
    h(
      'ul',
      {
        class: 'files',
        'data-delivery': id,
        'data-task': taskId,
        'data-hash': deliverableHash ?? '',
        'data-transaction': submitTxHash ?? '',
      },
      artifacts.map((artifact) =>
        h(
          'li',
          {
            'data-file': artifact.id,
            'data-order': artifact.displayOrder,
            'data-size': artifact.sizeBytes,
            'data-type': artifact.mimeType,
            'data-kind': artifact.mediaKind,
          },
          h('span', { 'data-name': true }, artifact.fileName),
          h('small', {}, fileSize(artifact.sizeBytes)),
        ),
      ),
    ),
  )
}
