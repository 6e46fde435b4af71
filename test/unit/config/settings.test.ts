import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { listUnknownNames, readSettings, SettingsError } from '../../../settings/read-settings.ts'
import { checkSetting, describeRefusal } from '../../../settings/start-problems.ts'
import { programs, type Setting, table } from '../../../settings/table.ts'
import { kubernetesEnvironment, systemdEnvironment } from '../../support/server-environments.ts'

const directory = mkdtempSync(join(tmpdir(), 'task-market-settings-'))
afterAll(() => rmSync(directory, { recursive: true }))

const settings: [string, Setting][] = Object.entries(table)
const needed = { READER_DATABASE_URL: 'postgres://market_reader:secret@127.0.0.1:5432/market' }

function problemsOf(environment: Record<string, string>) {
  try {
    readSettings('graphql', { ...needed, ...environment })
    return []
  } catch (error) {
    return (error as SettingsError).problems.map(({ setting, problem }) => `${setting}: ${problem}`)
  }
}

describe('the table of settings', () => {
  it('given the default of a setting, then it can be read', () => {
    const unread = settings.filter(
      ([, { default: text, schema }]) => text !== undefined && !schema.safeParse(text).success,
    )
    expect(unread).toEqual([])
  })

  it('given a setting that a program needs, then it has no default, and the program reads it', () => {
    const odd = settings.filter(
      ([, { default: text, neededBy = [], readBy }]) =>
        (text !== undefined && neededBy.length > 0) || neededBy.some((program) => !readBy.includes(program)),
    )
    expect(odd).toEqual([])
  })
})

describe('a name of the environment', () => {
  it.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['RELAYER_KEY', 'RELAYER_KEYS'],
    ['PROT', 'PORT'],
    ['QUOTA', 'QUOTAS'],
    ['URL_SINGING_SECRET', 'URL_SIGNING_SECRET'],
    ['URL_SIGNING_SECRETFILE', 'URL_SIGNING_SECRET_FILE'],
    ['LEGAL_ENFORCMENTS', 'LEGAL_ENFORCEMENT'],
    ['WEB_PROT', 'WEB_PORT'],
  ])('given %s, which is of no program or of another one, then it is refused with %s', (name, meant) => {
    expect(problemsOf({ [name]: 'x' })).toEqual([`${name}: is no setting; ${meant} is`])
  })

  it.each(['PROTS', 'REDIS_URL', 'SENTRY_DSN', 'MARKET', 'HTTP_PORT'])(
    'given %s, which is near none, then it is listed as unknown, and nothing is refused',
    (name) => {
      expect(problemsOf({ [name]: 'x' })).toEqual([])
      expect(listUnknownNames({ ...needed, [name]: 'x' })).toEqual([name])
    },
  )

  it.each([
    ['systemd', systemdEnvironment],
    ['Kubernetes', kubernetesEnvironment],
  ])('given those that %s sets, then no program is refused, and none is unknown', (_, environment) => {
    expect(listUnknownNames(environment)).toEqual([])
    for (const program of programs) {
      const named = problemsFor(program, environment).filter(({ setting }) => setting in environment)
      expect(named).toEqual([])
    }
  })

  it('given a setting that Kubernetes sets for a service of its name, then the problem says how to turn that off', () => {
    expect(problemsOf({ GRAPHQL_PORT: 'tcp://10.0.0.1:42070' })).toEqual([
      expect.stringMatching(/^GRAPHQL_PORT: .*enableServiceLinks$/),
    ])
  })
})

function problemsFor(program: (typeof programs)[number], environment: Record<string, string>) {
  try {
    readSettings(program, environment)
    return []
  } catch (error) {
    return (error as SettingsError).problems
  }
}

describe('a secret', () => {
  it('given its file, then the text of the file is read, without the end of its last line', () => {
    const file = join(directory, 'reader')
    writeFileSync(file, `${needed.READER_DATABASE_URL}\n`)
    expect(readSettings('graphql', { READER_DATABASE_URL_FILE: file }).READER_DATABASE_URL).toBe(
      needed.READER_DATABASE_URL,
    )
  })

  it('given itself and its file, or a file that is not there, then the error names them, without the secret', () => {
    const file = join(directory, 'missing')
    expect(problemsOf({ READER_DATABASE_URL_FILE: file })).toEqual([
      'READER_DATABASE_URL: is set, and READER_DATABASE_URL_FILE too: set one of them',
    ])
    expect(problemsOf({ READER_DATABASE_URL: '', READER_DATABASE_URL_FILE: file })).toEqual([
      'READER_DATABASE_URL_FILE: cannot be read (ENOENT)',
    ])
  })
})

describe('a refusal to start', () => {
  it('given a check that fails, then it names the setting and the reason', async () => {
    const error = await checkSetting('DATABASE_URL', () => {
      throw new AggregateError([new Error('connect ECONNREFUSED 127.0.0.1:1')])
    }).catch((reason) => reason)
    expect(describeRefusal(error)).toEqual({ setting: 'DATABASE_URL', problem: 'connect ECONNREFUSED 127.0.0.1:1' })
    expect(describeRefusal(new Error('no more memory'))).toEqual({ setting: null, problem: 'no more memory' })
  })

  it('given several problems, then the first is named, and all are listed', () => {
    const problems = ['A', 'B'].map((setting) => ({ setting, problem: 'is wrong' }))
    expect(describeRefusal(new SettingsError(problems))).toEqual({ setting: 'A', problem: 'is wrong', problems })
  })
})
