import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { homeOf } from '../../../client/src/cli/session.ts'
import { createClient } from '../../../client/src/create-client.ts'
import { fileStore } from '../../../client/src/store/file-store.ts'
import { repositoryRoot } from '../../../ops/process/paths.ts'
import type { runTool } from '../../support/client/silent-io.ts'
import { listen } from './listen.ts'
import { challengeHeader } from './paid-service.ts'
import { type Answer, account, address, aToolService, deployment, type Heard } from './tool-service.ts'

const taskId = `0x${'ab'.repeat(32)}`

let answer: (request: Heard) => Answer | null
const service = aToolService((request) => answer(request))

/** The tool with a home of its own. */
function aTool() {
  const home = service.aHome()
  const run = (line: string, { env, ...changes }: Parameters<typeof runTool>[1] = {}) =>
    service.run(line, { ...changes, env: { TASK_MARKET_HOME: home, ...env } })
  return { home, run }
}

/** A person who gives these answers, and what they were asked. */
function aPerson(...answers: string[]) {
  const asked: string[] = []
  const ask = async (question: string) => {
    asked.push(question)
    return answers[asked.length - 1] ?? null
  }
  return { asked, given: { isTerminal: true, ask } }
}

const challenge = (amount: bigint): Answer => ({
  status: 402,
  body: { error: 'Pay.' },
  headers: { 'PAYMENT-REQUIRED': challengeHeader(service.url, amount) },
})

describe('The command line tool at its edges', () => {
  test('given no command, then a person sees the help, and a program a sentence', async () => {
    for (const line of ['', 'task', 'wallet']) {
      const seen = await aTool().run(line, { isTerminal: true })
      expect(seen).toMatchObject({ exit: 2, out: '' })
      expect(seen.err).toContain('Commands:')
      const read = await aTool().run(line)
      expect(JSON.parse(read.err)).toEqual({ error: expect.stringContaining('--help') })
      expect(read.exit).toBe(2)
    }
  })

  test('given two commands that set different limits at once, then the configuration has both', async () => {
    const { run } = aTool()
    await Promise.all([
      run('wallet limits --per-call 1'),
      run('wallet limits --per-day 9'),
      run('wallet limits --per-task 3'),
    ])
    const { out } = await run('wallet limits')
    expect(JSON.parse(out)).toMatchObject({ perCall: '1', perDay: '9', perTask: '3' })
  })

  test('given a time in milliseconds, then the sentence says that it is in seconds, and which are meant', async () => {
    const { err, exit } = await aTool().run(`task update ${taskId} --expiry-time 1800000000123`)
    expect(exit).toBe(2)
    expect(err).toMatch(/Unix seconds.*milliseconds: 1800000000 are meant/)
  })

  test('given limits of tokens and hooks, then they are shown with the others', async () => {
    const { home, run } = aTool()
    const folder = join(home, account.address.toLowerCase())
    mkdirSync(folder)
    const hooks = [address('77')]
    const tokenLimits = { [address('88')]: { perCall: '4', perDay: '5' } }
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ hooks, tokenLimits }))
    expect(JSON.parse((await run('wallet limits')).out)).toMatchObject({ hooks, tokenLimits })
  })

  test('given an answer that does not end, then a read ends in time', async () => {
    const { url, stop } = await listen((_, response) => response.writeHead(200).write('{'))
    onTestFinished(stop)
    const client = createClient({ url, deployment, timing: { requestMs: 100 } })
    await expect(client.http.GET('/api/health')).rejects.toThrow(/gave no whole answer in time/)
    await expect(client.list('/api/tasks').next()).rejects.toThrow(/gave no whole answer in time/)
  })

  test('given a service that is down, then a write says so, and that nothing was sent', async () => {
    const line = 'task create --description x --reward 1 --hours 1 --wait 0'
    const { err } = await aTool().run(line, { env: { TASK_MARKET_URL: 'http://127.0.0.1:1' } })
    expect(err).toMatch(/127\.0\.0\.1:1\/api\/tasks could not be reached.*Nothing that can act was sent/)
    const waited = await aTool().run(line.replace('--wait 0', '--wait 2'), {
      env: { TASK_MARKET_URL: 'http://127.0.0.1:1' },
    })
    expect(waited.err).toMatch(/could not be reached.*Nothing that can act was sent/)
  })

  test('given a service without its node, then the last sentence of a write is the service’s', async () => {
    const error = {
      error: 'The node does not answer.',
      code: 'SERVICE_UNAVAILABLE',
      service: { reason: 'unclassified' },
    }
    const none = { error: 'None.', code: 'NOT_FOUND', service: { reason: 'intent_not_found' } }
    answer = ({ method }) => (method === 'POST' ? { status: 503, body: error } : { status: 404, body: none })
    const { err } = await aTool().run('task create --description x --reward 1 --hours 1 --wait 2')
    expect(err).toContain('The node does not answer. ')
  })

  test('given numbers that are none, then they are refused, and nothing is asked for', async () => {
    answer = () => {
      throw new Error('asked')
    }
    const lines = [
      'task list --limit x',
      'vault list --limit 1e3',
      'task submissions 0x1 --limit -1',
      'agents list --limit',
      'verify 0x1 --rpc http://127.0.0.1:1',
      `verify ${taskId}`,
      `verify ${taskId} --rpc nonsense`,
      // A file without errors of hooks.
      `task list --abi ${service.deploymentFile}`,
    ]
    for (const line of lines) expect((await aTool().run(line)).exit, line).toBe(2)
    expect(await aTool().run('watch --limit 0')).toMatchObject({ exit: 0, out: '' })
    const create = 'task create --description x --reward 1 --hours'
    for (const hours of ['x', '0x10', '-1']) expect((await aTool().run(`${create} ${hours}`)).exit).toBe(2)
  })

  test('given fields of a creation, then each is of the type that the service takes', async () => {
    const bodies: unknown[] = []
    answer = ({ body }) => {
      if (body !== '') bodies.push(JSON.parse(body))
      return challenge(1_000_000n)
    }
    const line = 'task create --description x --reward 1 --hours 1 --mode benchmark --dry-run --field'
    const viewers = `allowedViewers=["${address('77')}"]`
    const fields = `metricTarget=100 stakeBps=0500 stakeRequired=true maxPrice=7 ${viewers}`
    const env = { TASK_MARKET_ACCESS_PASSWORD: '12345678' }
    expect(await aTool().run(`${line} ${fields}`, { env })).toMatchObject({ exit: 0 })
    expect(bodies.at(-1)).toMatchObject({
      metricTarget: '100',
      stakeBps: 500,
      stakeRequired: true,
      maxPrice: '7',
      allowedViewers: [address('77')],
      accessPassword: '12345678',
    })
    for (const wrong of ['bogus=1', 'stakeBps=x', 'stakeRequired=1', 'allowedViewers=0x1', 'accessPassword=12345678']) {
      expect((await aTool().run(`${line} ${wrong}`)).exit).toBe(2)
    }
  })

  test('given options with values and arguments, then the words after them are completed', async () => {
    const script = (await aTool().run('completion')).out
    const completed = (...words: string[]) => {
      const program = `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _task_market; echo "\${COMPREPLY[*]}"`
      return execFileSync('bash', ['-c', program, 'bash', 'task-market', ...words], { encoding: 'utf8' }).trim()
    }
    expect(completed('task', 'li')).toBe('list')
    expect(completed('--url', 'http://x', 'task', 'li')).toBe('list')
    expect(completed('task', 'list', '--status', 'open', '--mo')).toBe('--mode')
    expect(completed('wallet', 'withdraw', '5', '--to')).toBe('--to')
  })

  test('given a reader that ends first, then the command ends well', () => {
    const main = join(repositoryRoot, 'client', 'src', 'cli', 'main.ts')
    const program = `"$0" --disable-warning=ExperimentalWarning "$1" completion | true; echo "\${PIPESTATUS[0]}"`
    expect(execFileSync('bash', ['-c', program, process.execPath, main], { encoding: 'utf8' })).toBe('0\n')
  })

  test.each(['--dry-run', '--yes'])(
    'given a write above the limit with %s, then it is refused, until the limit is raised; --max-spend lowers it again',
    async (option) => {
      const paid: string[] = []
      answer = ({ method, headers }) => {
        if (method === 'GET') return { status: 404, body: { error: 'None.', service: { reason: 'intent_not_found' } } }
        if (headers['payment-signature'] === undefined) return challenge(6_000_000n)
        paid.push(String(headers['payment-signature']))
        return { body: { success: true, taskId, txHash: `0x${'12'.repeat(32)}` } }
      }
      const tool = aTool()
      const line = `task create --description x --reward 6 --hours 1 ${option}`
      const refused = { exit: 5, out: '', err: expect.stringContaining('"limit_exceeded"') }
      expect(await tool.run(line)).toMatchObject(refused)
      expect(await tool.run('wallet limits --per-call 10')).toMatchObject({ exit: 0 })
      expect(await tool.run(`${line} --max-spend 5`)).toMatchObject(refused)
      expect(paid).toEqual([])
      expect(await tool.run(line)).toMatchObject({ exit: 0 })
      expect(paid).toHaveLength(option === '--yes' ? 1 : 0)
    },
  )

  test('given an earlier call without an outcome, then a person who repeats it is told what became of it', async () => {
    const tool = aTool()
    const read = { id: taskId, reward: '1000000', requester: account.address, pendingActions: [] }
    const isTask = ({ method, path }: Heard) => method === 'GET' && path === `/api/tasks/${taskId}`
    answer = (request) => {
      if (isTask(request)) return { status: 200, body: read }
      if (request.headers['payment-signature'] !== undefined) return null
      return request.method === 'POST' ? challenge(1_000n) : null
    }
    const line = `task accept ${taskId} --worker ${address('77')} --wait 1`
    expect(await tool.run(line)).toMatchObject({ exit: 7 })
    // It was done: the task does not offer it any more, and its record says so.
    answer = (request) => {
      if (isTask(request)) return { status: 200, body: read }
      if (request.method === 'GET') return { status: 200, body: { status: 'completed', txHash: `0x${'1'.repeat(64)}` } }
      return {
        status: 409,
        body: { error: 'Done before.', service: { reason: 'intent_in_flight', intentStatus: 'recorded' } },
      }
    }
    const { asked, given } = aPerson('y')
    const again = await tool.run(line.replace('--wait 1', '--wait 20'), given)
    expect(again).toMatchObject({ exit: 0, err: '' })
    expect(again.out).toContain('completed')
    expect(asked).toEqual([expect.stringContaining('An earlier call of this write')])
  })

  test('given an empty name of a home, then it is none: no limits begin anew in another folder', () => {
    expect(homeOf({ env: { TASK_MARKET_HOME: '' } } as never)).toBe(homeOf({ env: {} } as never))
  })

  test('given a private key out of range, then it is refused, and is in no message', async () => {
    const out = `0x${'ff'.repeat(32)}`
    for (const line of ['wallet limits', 'wallet import']) {
      const run = await aTool().run(line, { env: { TASK_MARKET_PRIVATE_KEY: out, TASK_MARKET_PASSWORD: 'x' } })
      expect(run).toMatchObject({ exit: 2, out: '' })
      expect(run.err).not.toMatch(/ffff|[0-9]{20}/)
    }
  })

  test('given a new password that is typed in two ways, then no key is kept', async () => {
    const tool = aTool()
    const differing = aPerson('one', 'other')
    expect(await tool.run('wallet new', differing.given)).toMatchObject({ exit: 2, out: '' })
    expect(differing.asked).toHaveLength(2)
    expect(readdirSync(join(tool.home, 'keystores'))).toEqual([])
  })

  test('given a withdrawal address with a wrong letter, then its checksum shows it, and nothing is sent', async () => {
    answer = () => {
      throw new Error('asked')
    }
    const wrong = account.address.replace(/[a-f]/, (letter) => letter.toUpperCase())
    expect(await aTool().run(`wallet set-withdrawal-address ${wrong} --yes`)).toMatchObject({ exit: 2 })
  })

  test('given a configuration that cannot be written, then the recovery code is shown nevertheless', async () => {
    const tool = aTool()
    const folder = join(tool.home, account.address.toLowerCase())
    mkdirSync(join(folder, 'config.json'), { recursive: true })
    const registered = { withdrawalAddress: address('77'), accountRecoveryCode: '12345678' }
    answer = () => ({ status: 200, body: registered })
    const run = await tool.run(`wallet set-withdrawal-address ${address('77')} --yes`)
    expect(run.exit).not.toBe(0)
    expect(JSON.parse(run.out)).toEqual(registered)
  })

  test('given a configuration that cannot be read, then it is not replaced', async () => {
    const tool = aTool()
    const folder = join(tool.home, account.address.toLowerCase())
    mkdirSync(folder)
    for (const text of ['{"limits": {"perCall": "1"', '[]']) {
      writeFileSync(join(folder, 'config.json'), text)
      expect((await tool.run('wallet limits --per-day 9')).exit).not.toBe(0)
      expect(readFileSync(join(folder, 'config.json'), 'utf8')).toBe(text)
    }
  })

  test('given a service that is not on this machine and an upload to one that is, then no file goes there', async () => {
    const { submitFiles } = await import('../../../client/src/cli/submit.ts')
    const targets: string[] = []
    const market = createClient({
      url: 'https://market.example',
      account,
      deployment,
      store: fileStore({ directory: service.aHome() }),
      fetch: async (input) => {
        const target = input instanceof Request ? input.url : String(input)
        targets.push(target)
        return Response.json({ uploadUrl, uploadHeaders: { Authorization: 'x' }, artifactKey: 'a' })
      },
    })
    const file = { fileName: 'a.bin', mimeType: 'text/plain', bytes: Buffer.alloc(9 * 1024 * 1024) }
    const io = { env: {}, isTerminal: false, width: 80, out: () => {}, err: () => {}, ask: async () => null }
    let uploadUrl = ''
    for (uploadUrl of ['http://files.example/a', 'https://127.0.0.1:2375/a', 'http://localhost/a', 'file:///a', 'x']) {
      await expect(submitFiles(io, market, { taskId, files: [file], options: {} })).rejects.toThrow(/https/)
    }
    expect(targets.every((target) => target.startsWith('https://market.example/'))).toBe(true)
  })
})
