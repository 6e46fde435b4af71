import { ReadableStream } from 'node:stream/web'
import type { Context } from 'hono'
import { type AnswerType, answerTypes, type Page } from '../../analytics/answer-file.ts'
import type { StoredAnswer } from '../../analytics/answer-store.ts'
import type { Snapshot } from '../../analytics/reader-session.ts'
import type { Config } from '../../config.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { acceptedRanges, weightOf } from '../../http/accept.ts'
import { isKnownTag } from '../../http/entity-tags.ts'
import { answerHeaderNames } from '../../http/header-names.ts'
import { toTimestamp } from '../../http/response-schemas.ts'
import { columnTypeOf } from '../../tabular/column-types.ts'
import { toJsonText } from '../../text/json-text.ts'

/**
 * The largest size in bytes of the HTTP header that lists the column types. Proxies read at most 4,000 bytes of headers
 * in all. A JSON answer also has the types in its body.
 */
const MOST_TYPES_BYTES = 1_000

/**
 * Returns the newest block that was indexed when an answer was read, and the indexer deployment that wrote the rows.
 * Both are null if the answer has no snapshot.
 */
export function snapshotOf(snapshot: Snapshot | null) {
  if (snapshot === null) return { block: null, schemaVersion: null }
  const { blockNumber, blockTimestamp, schemaVersion } = snapshot
  return {
    block: { number: Number(blockNumber), timestamp: toTimestamp(blockTimestamp) },
    schemaVersion: schemaVersion === '' ? null : schemaVersion,
  }
}

/**
 * Returns the media type of an answer: the supported type with the highest weight in `Accept`. The default is JSON.
 * @throws ServiceError 406 when `Accept` names no supported type
 */
export function answerTypeOf(accept: string | undefined): AnswerType {
  const ranges = acceptedRanges(accept)
  const [bestType] = answerTypes
    .map((type) => ({ type, weight: weightOf(type, ranges) ?? 0 }))
    .sort((a, b) => b.weight - a.weight)
  if (bestType !== undefined && bestType.weight > 0) return bestType.type
  throw new ServiceError(
    406,
    'unclassified',
    `Accept names no type of an answer: send one of ${answerTypes.join(', ')}.`,
    { detail: 'not_acceptable' },
  )
}

/**
 * Returns page number `place` of an answer. The first page has the number 0.
 * @throws ServiceError 404 if the answer has no page with this number
 */
export function pageResponse(
  context: Context,
  config: Config,
  { answer, place }: { answer: StoredAnswer; place: number },
) {
  const page = answer.pages[place]
  if (page === undefined)
    throw new ServiceError(404, 'unclassified', `The answer has ${answer.pages.length} pages.`, {
      detail: 'page_not_found',
    })
  const hasNext = place + 1 < answer.pages.length
  const next = hasNext ? `${config.PUBLIC_BASE_URL}/api/sql/answers/${answer.id}/${place + 1}` : null
  // The bytes under an id never change.
  const tag = `"${answer.id}-${place}"`
  if (context.req.method !== 'POST') {
    context.header('ETag', tag)
    if (isKnownTag(context.req.header('if-none-match'), tag)) return context.body(null, 304)
  }
  const { bytes, body } = bodyOf(answer, page, next)
  if (next !== null) context.header('Link', `<${next}>; rel="next"`, { append: true })
  return context.body(body, 200, {
    'Content-Length': String(bytes),
    'Content-Type': answer.type === 'text/csv' ? 'text/csv; charset=utf-8; header=present' : answer.type,
    ...headersOf(answer, config.SERVICE_NAME),
  })
}

function bodyOf(answer: StoredAnswer, page: Page, next: string | null) {
  const rows = answer.read(page)
  const rowsBytes = page.end - page.start
  if (answer.type !== 'application/json') return { bytes: rowsBytes, body: ReadableStream.from(rows) }
  const head = Buffer.from(`${toJsonText(headOf(answer, { rowCount: page.rows, next })).slice(0, -1)},"rows":[`)
  const tail = Buffer.from(']}')
  const parts = async function* () {
    yield head
    yield* rows
    yield tail
  }
  return { bytes: head.length + rowsBytes + tail.length, body: ReadableStream.from(parts()) }
}

function headOf({ snapshot, note, columns }: StoredAnswer, page: { rowCount: number; next: string | null }) {
  return {
    ...snapshotOf(snapshot),
    ...(note !== undefined && { note }),
    columns: columns.map(({ name, typeId }) => ({ name, type: columnTypeOf(typeId).name })),
    ...page,
  }
}

function headersOf({ snapshot, columns, note }: StoredAnswer, serviceName: string): Record<string, string> {
  const names = answerHeaderNames(serviceName)
  const { block, schemaVersion } = snapshotOf(snapshot)
  const types = columns.map(({ typeId }) => columnTypeOf(typeId).name).join(',')
  return {
    ...(block !== null && {
      [names.blockNumber]: String(block.number),
      [names.blockTimestamp]: String(Date.parse(block.timestamp) / 1000),
    }),
    ...(schemaVersion !== null && { [names.schemaVersion]: schemaVersion }),
    ...(types.length <= MOST_TYPES_BYTES && { [names.columnTypes]: types }),
    ...(note !== undefined && { [names.queryNote]: note }),
  }
}
