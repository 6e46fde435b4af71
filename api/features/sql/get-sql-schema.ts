import { z } from 'zod'
import { ServiceError } from '../../errors/service-error.ts'
import { findIndexedHead } from '../../read-model/indexed-head.queries.ts'
import { defineRoute } from '../define-route.ts'
import { listColumns } from './columns.queries.ts'
import { snapshotOut } from './sql.schemas.ts'
import { toSchemas, toTables } from './sql-schema.mapper.ts'

const meaningOut = z.string().nullable().meta({ description: "The database's comment; null: it has none." })

const columnOut = z.object({
  name: z.string(),
  type: z.string().meta({ description: "PostgreSQL's name of it." }),
  nullable: z.boolean().nullable().meta({ description: 'Whether it may be null; null: only its meaning says so.' }),
  references: z
    .string()
    .nullable()
    .meta({
      description: 'The key that its values are of, to join with; null: of none.',
      examples: ['market.task.id'],
    }),
  meaning: meaningOut,
})

const tableOut = z.object({
  schema: z.string(),
  name: z.string(),
  meaning: meaningOut,
  key: z.string().nullable().meta({ description: 'The column that tells its rows apart; null: no single one.' }),
  columns: z.array(columnOut),
})

/**
 * Returns the tables and columns that SQL queries may read (interface specification, "Open data"). The route reads the
 * service's own database. The standby database, which runs the queries, is not needed.
 *
 * Example: `GET /api/sql/schema` answers `{"schemaVersion": "idx_ac520da9b880065e", "schemas": [{..}], "tables":
 * [{..}]}`.
 */
export const getSqlSchema = defineRoute({
  operationId: 'getSqlSchema',
  method: 'get',
  path: '/sql/schema',
  tag: 'analytics',
  summary: 'List tables and columns of SQL',
  description:
    'Tables and columns of `POST /sql` with types, keys, references and meanings, as the database that is served has them. ' +
    'Its entity tag changes with them only: ask again with `If-None-Match`. It is answered where SQL is not, too. The headers ' +
    'name the block, as in every answer.',
  query: z.object({
    table: z
      .string()
      .max(100)
      .optional()
      .meta({ description: 'One table, by its name, with or without the schema.', examples: ['analytics.ledger'] }),
  }),
  responses: {
    200: {
      description: 'Schemas, tables and columns.',
      schema: z.object({
        schemaVersion: snapshotOut.schemaVersion,
        schemas: z.array(z.object({ name: z.string(), meaning: meaningOut })),
        tables: z.array(tableOut),
      }),
    },
    404: { description: 'There is no such table.' },
  },
  caching: 'head',
  handler: async ({ sql }, { query: { table } }) => {
    const [head, columns] = await sql.begin('isolation level repeatable read read only', (tx) =>
      Promise.all([findIndexedHead(tx), listColumns(tx)]),
    )
    const selectedColumns = columns.filter(({ schemaName, tableName }) =>
      [undefined, tableName, `${schemaName}.${tableName}`].includes(table),
    )
    if (table !== undefined && selectedColumns.length === 0) {
      throw new ServiceError(404, 'unclassified', `There is no table ${table}: without \`table\` all are listed.`, {
        detail: 'table_not_found',
      })
    }
    return {
      schemaVersion: head?.schemaVersion ?? null,
      schemas: toSchemas(selectedColumns),
      tables: toTables(selectedColumns),
    }
  },
})
