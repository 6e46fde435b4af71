import { z } from 'zod'
import { ServiceError } from '../../errors/service-error.ts'
import { exportFormats, type ListedExport, MAX_LISTED_OF_FORMAT } from '../../exports/manifest.ts'
import type { PublishedExports } from '../../exports/published-exports.ts'
import { hashOut, timestampOut } from '../../http/response-schemas.ts'
import { defineRoute } from '../define-route.ts'

const sha256Out = z.string().regex(/^[0-9a-f]{64}$/)

const exportOut = z.object({
  id: z.string(),
  block: z
    .object({ number: z.int().min(0), hash: hashOut, timestamp: timestampOut })
    .meta({ description: 'The block whose rows the files have. It is final.' }),
  createdAt: timestampOut,
  schemaVersion: z.string().meta({ description: 'The deployment of the indexer that wrote the rows.' }),
  format: z.enum(exportFormats),
  manifestUrl: z.string().meta({
    description:
      'JSON: every file of every table with its path, rows, bytes and sha-256, and the columns of each table.',
  }),
  tables: z.array(
    z.object({
      name: z.string().meta({ description: '`<schema>.<table>`.', examples: ['market.task'] }),
      rows: z.int().min(0),
      bytes: z.int().min(0),
      files: z.int().min(1),
      sha256: sha256Out.meta({ description: 'Of what `url` answers.' }),
      url: z.string().meta({ description: 'The file; of a table of several files the manifest, which lists them.' }),
    }),
  ),
})

/**
 * Lists the exports that `npm run export` has published, with their files (docs/build/analytics.md, "Files").
 *
 * Example: `GET /api/exports` answers `{"exports": [{..}]}`.
 */
export const listExports = defineRoute({
  operationId: 'listExports',
  method: 'get',
  path: '/exports',
  tag: 'analytics',
  summary: 'List the files with all public rows',
  description:
    `The newest ${MAX_LISTED_OF_FORMAT} exports of each format, newest first. Each has every table of the schemas \`market\` and \`analytics\` at one ` +
    'final block, as Parquet, CSV or NDJSON. Empty where the operator publishes none.',
  responses: {
    200: { description: 'The exports.', schema: z.object({ exports: z.array(exportOut) }) },
    503: { description: 'The place of the files does not answer. Retry-After says when to ask again.' },
  },
  handler: async ({ exports }) => {
    const publishedExports = await exports.list().catch((cause: unknown) => {
      const message = 'The list of exports cannot be read now; try again shortly.'
      throw new ServiceError(503, 'unclassified', message, {
        detail: 'storage_unavailable',
        headers: { 'Retry-After': '30' },
        cause,
      })
    })
    return { exports: publishedExports.map((each) => toExport(each, exports)) }
  },
})

function toExport({ manifest, tables, ...facts }: ListedExport, { urlOf }: PublishedExports) {
  return {
    ...facts,
    manifestUrl: urlOf(manifest.path),
    tables: tables.map(({ path, ...table }) => ({ ...table, url: urlOf(path) })),
  }
}
