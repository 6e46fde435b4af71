import type { components } from '../../../client/src/index.ts'
import { h } from '../dom.ts'
import { readDeliveriesAs } from '../files/read-delivery.ts'
import { watchFiles } from '../files/verify-artifacts.ts'
import { fileSize } from '../forms/file-field.ts'
import { update } from '../page/update.ts'
import { apiOrigin, loadService } from '../service.ts'
import { shortAddress } from '../session.ts'

type Submission = components['schemas']['Submission']
type Pitch = components['schemas']['Pitch']

/** The submissions and pitches of a task that a reader may see. */
export interface Entries {
  submissions: Submission[]
  pitches: Pitch[]
}

/**
 * Reads the entries of a task; null if they are not available now.
 * @param headers headers that prove the reader's right: a wallet's signed read identity, or the access grant for a
 * password
 */
export async function readEntries(taskId: string, headers: Record<string, string>): Promise<Entries | null> {
  const [submissions, pitches] = await Promise.all([
    readRows<Submission>(`/api/tasks/${taskId}/submissions`, headers),
    readRows<Pitch>(`/api/tasks/${taskId}/pitches`, headers),
  ])
  return submissions === null || pitches === null ? null : { submissions, pitches }
}

/**
 * Shows those entries of a task which are not in the served page.
 * @param entries null if the entries could not be read
 */
export function showEntries(
  place: HTMLElement,
  { taskId, entries, headers }: { taskId: string; entries: Entries | null; headers: Record<string, string> },
): void {
  if (entries === null) {
    update(place, h('p', { class: 'soft' }, 'The entries cannot be read now. Load the page again in a moment.'))
    return
  }
  readDeliveriesAs(headers)
  const hiddenSubmissions = entries.submissions.filter(
    ({ referenceCode }) => document.getElementById(referenceCode) === null,
  )
  const rows = [...entries.pitches.map(pitchRow), ...hiddenSubmissions.map((row) => submissionRow(taskId, row))]
  update(place, rows.length > 0 ? rows : h('p', { class: 'soft' }, 'No entry yet that you may see.'))
  watchFiles()
}

async function readRows<Row>(path: string, headers: Record<string, string>): Promise<Row[] | null> {
  const response = await fetch(`${apiOrigin(await loadService())}${path}`, { headers }).catch(() => null)
  return response?.ok ? ((await response.json()) as Row[]) : null
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
