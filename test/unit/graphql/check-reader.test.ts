import pg from 'pg'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { checkReader } from '../../../graphql/check-reader.ts'

function poolThatFails(code: string) {
  const error = Object.assign(new pg.DatabaseError('refused by the server', 0, 'error'), { code })
  return { query: () => Promise.reject(error) } as unknown as pg.Pool
}

const logged: string[] = []
const log = pino({}, { write: (line: string) => void logged.push(line) })

test.each(['28P01', '28000', '3D000'])(
  'given a server that refuses the login, %s, then the setting is named',
  async (code) => {
    await expect(checkReader(poolThatFails(code), log)).rejects.toMatchObject({
      problems: [{ setting: 'READER_DATABASE_URL', problem: 'refused by the server' }],
    })
  },
)

test.each(['57P03', 'ECONNREFUSED'])(
  'given a server without an answer, %s, then it is waited for, and a line says so',
  async (code) => {
    logged.length = 0
    await checkReader(poolThatFails(code), log)
    expect(logged).toEqual([expect.stringContaining('"setting":"READER_DATABASE_URL"')])
  },
)
