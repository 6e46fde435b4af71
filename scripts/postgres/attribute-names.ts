import { withConnection } from './postgres-databases.ts'

/** Names of built-in functions that one argument can call, and of built-in types, sorted. */
export async function attributeNamesOf(url: string): Promise<string[]> {
  return await withConnection(url, async (sql) => {
    const rows = await sql<{ name: string }[]>`
      SELECT proname AS name FROM pg_proc
      WHERE pronamespace = 'pg_catalog'::regnamespace AND pronargs >= 1 AND pronargs - pronargdefaults <= 1
      UNION SELECT proname FROM pg_proc
      WHERE pronamespace = 'pg_catalog'::regnamespace AND provariadic <> 0 AND pronargs <= 2
      UNION SELECT typname FROM pg_type WHERE typnamespace = 'pg_catalog'::regnamespace AND typtype <> 'c'
      ORDER BY 1`
    return rows.map(({ name }) => name).filter((name) => !name.startsWith('_'))
  })
}
