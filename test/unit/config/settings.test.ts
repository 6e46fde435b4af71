import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { listUnknownNames, readSettings, SettingsError, tryReadSettings } from '../../../settings/read-settings.ts'
import { checkSetting, describeListenError, describeRefusal } from '../../../settings/start-problems.ts'
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
    ['OTEL_EXPORTER_OTLP_ENDPONT', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ])('given %s, which is of no program or of another one, then it is refused with %s', (name, meant) => {
    expect(problemsOf({ [name]: 'x' })).toEqual([`${name}: is no setting; ${meant} is`])
  })

  it.each(['PROTS', 'OTEL_RESOURCE_ATTRIBUTES', 'REDIS_URL', 'SENTRY_DSN', 'MARKET', 'HTTP_PORT'])(
    'given %s, which is near none, then it is listed as unknown, and nothing is refused',
    (name) => {
      expect(problemsOf({ [name]: 'x' })).toEqual([])
      expect(listUnknownNames({ ...needed, [name]: 'x' })).toEqual([name])
    },
  )

  it.each(['MSI_ENDPOINT', 'PGCONNECT_TIMEOUT', 'GCE_METADATA_HOST', 'MONITOR_UNIT'])(
    'given %s, which a cloud, libpq or systemd sets, then it is neither refused nor unknown',
    (name) => {
      expect(problemsOf({ [name]: 'x' })).toEqual([])
      expect(listUnknownNames({ [name]: 'x' })).toEqual([])
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

describe('a value', () => {
  it.each(['PORT', 'OTEL_TRACES_SAMPLER_ARG'])('given %s that is a space, then it is no zero', (name) => {
    const { values, problems } = tryReadSettings('api', { [name]: ' ' })
    expect(values).not.toHaveProperty(name)
    expect(problems).toContainEqual({ setting: name, problem: expect.stringMatching(/^must be a number/) })
  })

  it.each([
    ['PORT', '80.5'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'key=100%'],
    ['PUBLIC_BASE_URL', 'https://user:password@market.example'],
    ['PUBLIC_BASE_URL', 'https://market.example/?from=here'],
    ['ARTIFACT_BASE_URL', 'https://files.example/?from=here'],
    ['RELAYER_SIGNERS', `web3signer:https://user:100%@signer.internal/0x${'12'.repeat(20)}`],
    ['RELAYER_KEYS', `0x${'0'.repeat(64)}`],
    ['RELAYER_KEYS', `0x${'f'.repeat(64)}`],
    ['RELAYER_KEYS', `0x${'1'.repeat(64)},0x${'1'.repeat(64)}`],
  ])('given %s=%j, then the problem names it, without the value', (name, text) => {
    const problems = problemsFor('api', { [name]: text }).filter(({ setting }) => setting === name)
    expect(problems).toEqual([{ setting: name, problem: expect.stringMatching(/^must /) }])
    expect(problems[0]?.problem).not.toContain(text)
  })
})

it('given a password in the address of the API, then the pages do not start: a log of a failure would have it', () => {
  expect(problemsFor('web', { API_URL: 'http://user:password@127.0.0.1:3000' })).toEqual([
    { setting: 'API_URL', problem: expect.stringMatching(/^must be a URL without password/) },
  ])
})

it('given an origin of files with a slash at its end, then links have one slash', () => {
  const { values } = tryReadSettings('api', { ARTIFACT_BASE_URL: 'https://files.example/' })
  expect(values.ARTIFACT_BASE_URL).toBe('https://files.example')
})

describe('a secret', () => {
  it.each(['', '\n', '\r\n'])(
    'given its file that ends with %j, then the text of the file is read without that',
    (end) => {
      const file = join(directory, 'secret')
      const secret = 'of thirty-two characters or more, with '
      // A byte order mark, as editors on Windows put it before the text.
      writeFileSync(file, `\uFEFF${secret}${end}`)
      const { values } = tryReadSettings('api', { URL_SIGNING_SECRET_FILE: file })
      expect(values.URL_SIGNING_SECRET).toBe(secret)
    },
  )

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

it('given a file of a setting that is no secret, then it is refused: the setting would have its default', () => {
  expect(problemsOf({ GRAPHQL_HOST_FILE: '/run/host' })).toEqual([
    'GRAPHQL_HOST_FILE: is no setting; only secrets may be in files, so set GRAPHQL_HOST',
  ])
})

describe('a refusal to start', () => {
  it('given a check that fails, then it names the setting and the reason', async () => {
    const error = await checkSetting('DATABASE_URL', () => {
      throw new AggregateError([new Error('connect ECONNREFUSED 127.0.0.1:1')])
    }).catch((reason) => reason)
    expect(describeRefusal(error)).toEqual({ setting: 'DATABASE_URL', problem: 'connect ECONNREFUSED 127.0.0.1:1' })
    expect(describeRefusal(new Error('no more memory'))).toEqual({ setting: null, problem: 'no more memory' })
  })

  it('given a listener that fails, then its address is named where the machine does not have it, else its port', () => {
    const names = { host: 'WEB_HOST', port: 'WEB_PORT' }
    const settingFor = (code: string) =>
      describeRefusal(describeListenError(Object.assign(new Error(code), { code }), names)).setting
    expect(['EADDRNOTAVAIL', 'ENOTFOUND', 'EADDRINUSE', 'EACCES'].map(settingFor)).toEqual([
      'WEB_HOST',
      'WEB_HOST',
      'WEB_PORT',
      'WEB_PORT',
    ])
  })

  it('given several problems, then the first is named, and all are listed', () => {
    const problems = ['A', 'B'].map((setting) => ({ setting, problem: 'is wrong' }))
    expect(describeRefusal(new SettingsError(problems))).toEqual({ setting: 'A', problem: 'is wrong', problems })
  })
})
