import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import type { Context, Hono } from 'hono'
import type { Deps } from '../deps.ts'
import { ServiceError } from '../errors/service-error.ts'
import { parseRange } from '../http/byte-range.ts'
import { readConditions } from '../http/conditions.ts'

const types: Readonly<Record<string, string>> = {
  json: 'application/json',
  parquet: 'application/vnd.apache.parquet',
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
}

/**
 * Mounts the files of the folder EXPORTS_DIR, which `GET /api/exports` lists. If the exports are in a bucket, every
 * path answers 404. Example: `GET /api/exports/manifests/idx_e1e3b6af91d62f9e-41-parquet.json`.
 */
export function mountExportFiles(app: Hono, { exports }: Pick<Deps, 'exports'>): void {
  app.get('/api/exports/:path{.+}', async (c) => {
    await c.get('rateLimits').consume('reads')
    const path = c.req.param('path')
    const file = await exports.open(path)
    if (file === null)
      throw new ServiceError(404, 'unclassified', 'There is no such file of an export.', { detail: 'export_not_found' })
    try {
      return await answerFile(c, file, path)
    } catch (error) {
      await file.close()
      throw error
    }
  })
}

/** Answers with the file or the requested range, and closes the file at the end of the answer. */
async function answerFile(c: Context, file: FileHandle, path: string): Promise<Response> {
  const { size, mtimeMs } = await file.stat()
  const tag = `"${size.toString(36)}-${Math.trunc(mtimeMs).toString(36)}"`
  const conditions = readConditions((name) => c.req.header(name), tag)
  const headers = {
    'Content-Type': types[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
    'Cache-Control': 'private, no-cache',
    'Accept-Ranges': 'bytes',
    ETag: tag,
  }
  if (conditions.isKnown || c.req.method === 'HEAD' || size === 0) {
    await file.close()
    if (conditions.isKnown) return c.body(null, 304, headers)
    return c.body(null, 200, { ...headers, 'Content-Length': String(size) })
  }
  const range = parseRange(conditions.rangeHeader, size)
  const { start, end } = range ?? { start: 0, end: size - 1 }
  const stream: NodeReadableStream = Readable.toWeb(file.createReadStream({ start, end }))
  return c.body(stream as unknown as ReadableStream<Uint8Array>, range === null ? 200 : 206, {
    ...headers,
    'Content-Length': String(end - start + 1),
    ...(range !== null && { 'Content-Range': `bytes ${start}-${end}/${size}` }),
  })
}
