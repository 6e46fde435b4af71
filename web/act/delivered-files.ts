import { html } from 'hono/html'
import type { components } from '../../client/src/index.ts'

type Submission = Pick<
  components['schemas']['Submission'],
  'id' | 'taskId' | 'deliverableHash' | 'submitTxHash' | 'artifacts'
>
type Artifact = components['schemas']['Artifact']

/** How a kind of file is said, and what can be done with it. */
const kinds: Readonly<Record<Artifact['mediaKind'], string>> = {
  image: 'image',
  text: 'text',
  video: 'video',
  audio: 'sound',
  pdf: 'PDF',
  archive: 'archive',
  unknown: 'file',
}

/**
 * The files of an entry, as the island `verify` takes them: each is read, hashed and compared in the browser, and shown or saved
 * from the bytes that were hashed. Pages have no URL of a file: those end.
 */
export function deliveredFiles({ id, taskId, deliverableHash, submitTxHash, artifacts }: Submission) {
  return html`<ul
    class="files"
    data-delivery="${id}"
    data-task="${taskId}"
    data-hash="${deliverableHash ?? ''}"
    data-transaction="${submitTxHash ?? ''}"
  >
    ${artifacts.map(
      ({ id: artifactId, fileName, sizeBytes, mediaKind, mimeType, displayOrder }) =>
        html`<li data-file="${artifactId}" data-order="${displayOrder}" data-size="${sizeBytes}" data-type="${mimeType}" data-kind="${mediaKind}">
          <span data-name>${visible(fileName)}</span> <small>${fileSize(sizeBytes)}, ${kinds[mediaKind]}</small>
        </li>`,
    )}
  </ul>`
}

const units = ['B', 'kB', 'MB', 'GB'] as const

function fileSize(bytes: number): string {
  const at = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  return `${at === 0 ? bytes : (bytes / 1000 ** at).toFixed(1)} ${units[at]}`
}

/** Control and direction characters of a stranger's text as escapes. Example: a right-to-left override is `\u202e`. */
function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}]/gu,
    (character) => `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`,
  )
}
