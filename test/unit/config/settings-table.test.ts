import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { settings } from '../../../api/config.ts'
import { exportVariables } from '../../../ops/export/settings.ts'
import { indexerVariables } from '../../../ops/indexer/settings.ts'
import { keeperVariables } from '../../../ops/standby/settings.ts'

const programs: Record<string, z.ZodObject> = {
  api: settings,
  indexer: indexerVariables,
  export: exportVariables,
  keeper: keeperVariables,
}

const [, section = ''] = readFileSync('docs/operations.md', 'utf8').split(/^## Settings$/m)
const rows = [
  ...(section.split(/^## /m)[0] ?? '').matchAll(/^\| `([A-Z0-9_]+)` \| ([a-z, ]+) \| (.+?) \| .+ \|$/gm),
].map(([, name = '', readers = '', stated = '']) => ({ name, readers: readers.split(', '), stated }))

test.each(Object.keys(programs))(
  'given the settings of %s, then the table has a row for each and no other',
  (program) => {
    const documented = rows.filter(({ readers }) => readers.includes(program)).map(({ name }) => name)
    expect(documented.sort()).toEqual(Object.keys(programs[program]?.shape ?? {}).sort())
  },
)

test.each(rows)('given $name, then its default is the one of the table: $stated', ({ name, readers, stated }) => {
  for (const reader of readers) expect(statedDefaultOf(programs[reader]?.shape[name] as z.ZodType)).toBe(stated)
})

function statedDefaultOf(setting: z.ZodType): string {
  const { success, data } = setting.safeParse(undefined)
  if (!success) return 'needed'
  if (data === undefined) return 'none'
  if (data === false) return '`off`'
  if (data === '' || (Array.isArray(data) && data.length === 0)) return 'empty'
  return `\`${String(data).replace(`${process.cwd()}/`, '')}\``
}
