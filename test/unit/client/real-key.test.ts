import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../../client/src/create-client.ts'
import { isPublicAccount } from '../../../client/src/deployment/public-accounts.ts'
import { writeKeystore } from '../../../client/src/keystore/keystore.ts'
import { marketFetch } from '../../../client/src/market-fetch.ts'
import { repositoryRoot } from '../../../ops/process/paths.ts'
import { type DevRole, devAccount, devAccountIndexes } from '../../../scripts/chain/dev-accounts.ts'
import { sign } from '../../../scripts/sign.mjs'
import { runTool, wordsOf } from '../../support/client/silent-io.ts'
import { testDeployment } from './paid-service.ts'

const roles = Object.keys(devAccountIndexes) as DevRole[]
const publicKey = devAccount('alice').privateKey
const cheap = { n: 2, r: 1, p: 1 }
const reason = /chain id of Base/

let home: string
const files = { local: '', stack: '', base: '', silent: '' }

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'task-market-real-key-'))
  const { local: _, ...silent } = testDeployment
  const contents = {
    local: { ...testDeployment, local: true },
    // That of an older stack, whose addresses do not say that they are local.
    stack: { chainId: 8453, urls: {}, addresses: silent },
    base: { ...silent, local: false },
    // Only the URLs say whether it is local.
    silent,
  }
  for (const name of ['local', 'stack', 'base', 'silent'] as const) {
    files[name] = join(home, `${name}.json`)
    writeFileSync(files[name], JSON.stringify(contents[name]))
  }
  return () => rmSync(home, { recursive: true })
})

type Place = keyof typeof files

const run = (line: string, place: Place, env: Record<string, string>) =>
  runTool(wordsOf(line), {
    env: {
      TASK_MARKET_URL: 'http://127.0.0.1:9',
      TASK_MARKET_HOME: home,
      TASK_MARKET_PASSWORD: 'pw',
      TASK_MARKET_DEPLOYMENT: files[place],
      ...env,
    },
    keystoreTerms: cheap,
  })

async function aKeystore(privateKey: `0x${string}`, local: boolean | null): Promise<string> {
  const path = join(home, `${crypto.randomUUID()}.json`)
  const madeFor = local === null ? null : { chainId: 8453, market: testDeployment.market, local }
  await writeKeystore(path, { privateKey, password: 'pw', terms: cheap, madeFor })
  return path
}

describe('The public accounts', () => {
  test('given each account of the local stack, then it is one, and another wallet is none', () => {
    expect(roles.filter((role) => !isPublicAccount(devAccount(role).account.address))).toEqual([])
    expect(isPublicAccount(privateKeyToAccount(generatePrivateKey()).address)).toBe(false)
  })
})

describe('A keystore on a local deployment', () => {
  test.each([
    { madeFor: 'a real deployment', local: false, key: generatePrivateKey(), refusedOn: ['local', 'stack'] },
    { madeFor: 'no known deployment', local: null, key: generatePrivateKey(), refusedOn: ['local', 'stack'] },
    { madeFor: 'a local deployment', local: true, key: generatePrivateKey(), refusedOn: [] },
    { madeFor: 'no known deployment, with a public key', local: null, key: publicKey, refusedOn: [] },
  ])('given one that was made for $madeFor, then it is refused on $refusedOn', async ({ local, key, refusedOn }) => {
    const keystore = await aKeystore(key, local)
    for (const place of ['local', 'stack', 'base'] as const) {
      for (const line of ['wallet limits', 'mcp']) {
        const isRefused = (refusedOn as string[]).includes(place)
        // The server of `mcp` would take the standard streams of this process.
        if (line === 'mcp' && !isRefused) continue
        const { exit, err } = await run(line, place, { TASK_MARKET_KEYSTORE: keystore })
        expect([place, line, exit]).toEqual([place, line, isRefused ? 4 : 0])
        if (isRefused) expect(err).toMatch(reason)
      }
      expect(await run('wallet limits --real-key', place, { TASK_MARKET_KEYSTORE: keystore })).toMatchObject({
        exit: 0,
      })
    }
  })

  test('given one that `wallet new` made, then it has its deployment; an imported key has none', async () => {
    for (const [place, local] of [
      ['stack', true],
      ['base', false],
    ] as const) {
      const { keystore } = JSON.parse((await run('wallet new', place, {})).out)
      const { market } = testDeployment
      expect(JSON.parse(readFileSync(keystore, 'utf8')).deployment).toEqual({ chainId: 8453, market, local })
    }
    const key = generatePrivateKey()
    const { keystore } = JSON.parse((await run('wallet import', 'local', { TASK_MARKET_PRIVATE_KEY: key })).out)
    expect(JSON.parse(readFileSync(keystore, 'utf8'))).not.toHaveProperty('deployment')
    expect(await run('wallet limits', 'local', { TASK_MARKET_KEYSTORE: keystore })).toMatchObject({ exit: 4 })
  })
})

describe('A deployment that does not say whether it is local', () => {
  const here = [
    'http://127.0.0.1:9',
    'http://127.3.2.1:9',
    'http://localhost:9',
    'http://a.localhost:9',
    'http://[::1]:9',
  ]
  const away = 'https://market.example'
  const places: [string, Record<string, string>, boolean][] = [
    ...here.map((url): [string, Record<string, string>, boolean] => [url, { TASK_MARKET_URL: url }, true]),
    ['a node of this machine', { TASK_MARKET_URL: away, TASK_MARKET_RPC_URL: 'http://127.0.0.1:8545' }, true],
    ['two URLs elsewhere', { TASK_MARKET_URL: away, TASK_MARKET_RPC_URL: 'https://node.example' }, false],
  ]

  test.each(places)('given %s, then command line and SDK judge a real key by the URLs', async (_, env, isLocal) => {
    const keystore = await aKeystore(generatePrivateKey(), null)
    const refused = await run('wallet limits', 'silent', { ...env, TASK_MARKET_KEYSTORE: keystore })
    expect(refused.exit).toBe(isLocal ? 4 : 0)
    const warned = await run('wallet limits', 'silent', { ...env, TASK_MARKET_PRIVATE_KEY: generatePrivateKey() })
    expect([warned.exit, reason.test(warned.err)]).toEqual([0, isLocal])
    const warnings: string[] = []
    const { local: _local, ...deployment } = testDeployment
    createClient({
      url: env.TASK_MARKET_URL ?? '',
      ...(env.TASK_MARKET_RPC_URL !== undefined && { rpcUrl: env.TASK_MARKET_RPC_URL }),
      account: privateKeyToAccount(generatePrivateKey()),
      deployment,
      onWarning: (message) => void warnings.push(message),
    })
    expect(warnings).toHaveLength(isLocal ? 1 : 0)
  })

  test('given a new keystore, then it is noted as one of a local deployment', async () => {
    const { keystore } = JSON.parse((await run('wallet new', 'silent', {})).out)
    expect(JSON.parse(readFileSync(keystore, 'utf8')).deployment).toMatchObject({ local: true })
  })
})

describe('A key from the environment, or given to the SDK', () => {
  test('given a real one on a local deployment, then the tool warns once, as JSON, and nowhere else', async () => {
    const key = generatePrivateKey()
    const env = { TASK_MARKET_PRIVATE_KEY: key }
    expect(await run('wallet limits', 'base', env)).toMatchObject({ exit: 0, err: '' })
    const first = await run('wallet limits', 'local', env)
    expect([first.exit, JSON.parse(first.err)]).toEqual([0, { warning: expect.stringMatching(reason) }])
    for (const place of ['local', 'stack'] as const) expect((await run('wallet limits', place, env)).err).toBe('')
    expect((await run('wallet limits', 'local', { TASK_MARKET_PRIVATE_KEY: publicKey })).err).toBe('')
    const other = { TASK_MARKET_PRIVATE_KEY: generatePrivateKey() }
    expect((await run('wallet limits --real-key', 'local', other)).err).toBe('')
    expect(existsSync(join(home, privateKeyToAccount(key).address.toLowerCase(), 'real-key-warning'))).toBe(true)
  })

  test.each([
    ['createClient', (options: Parameters<typeof createClient>[0] & { account: never }) => createClient(options)],
    [
      'marketFetch',
      (options: Parameters<typeof createClient>[0] & { account: never }) => marketFetch({} as never, options),
    ],
  ])('given a real one to %s on a local deployment, then it warns once for each account', (_, open) => {
    const warnings: string[] = []
    const onWarning = (message: string) => void warnings.push(message)
    const one = privateKeyToAccount(generatePrivateKey())
    const make = (account: unknown, local: boolean) =>
      open({
        url: 'http://127.0.0.1:9',
        account: account as never,
        deployment: { ...testDeployment, local },
        onWarning,
      })
    for (const local of [false, true, true]) make(one, local)
    make(devAccount('alice').account, true)
    expect(warnings).toEqual([expect.stringMatching(reason)])
    make(privateKeyToAccount(generatePrivateKey()), true)
    expect(warnings).toHaveLength(2)
  })
})

describe('The signing script', () => {
  const challenge = (url: string) =>
    JSON.stringify({
      x402Version: 2,
      resource: { url },
      accepts: [
        {
          network: 'eip155:8453',
          payTo: testDeployment.forwarder,
          amount: '1000',
          maxTimeoutSeconds: 300,
          extra: {
            eip712: {
              domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: testDeployment.usdc },
              primaryType: 'TransferWithAuthorization',
              types: { TransferWithAuthorization: [{ name: 'nonce', type: 'bytes32' }] },
            },
          },
        },
      ],
    })

  test.each([
    { of: 'a local stack', url: 'http://127.0.0.1:3000/api/tasks', key: generatePrivateKey(), more: [], status: 1 },
    ...['127.0.0.2', '0.0.0.0', 'localhost.', 'api.localhost', '[::]', '[::ffff:127.0.0.1]'].map((host) => {
      const url = `http://${host}:3000/api/tasks`
      return { of: 'a local stack in another spelling', url, key: generatePrivateKey(), more: [], status: 1 }
    }),
    { of: 'a local stack', url: 'http://127.0.0.1:3000/a', key: generatePrivateKey(), more: ['--real-key'], status: 0 },
    { of: 'a local stack', url: 'http://127.0.0.1:3000/api/tasks', key: publicKey, more: [], status: 0 },
    { of: 'a service', url: 'https://market.example/api/tasks', key: generatePrivateKey(), more: [], status: 0 },
  ])('given a challenge of $of ($url) and $more, then it ends with $status', async ({ url, key, more, status }) => {
    const run = (kind: string[], input: string) =>
      endOf([...kind, ...more], { environment: { KEY: key }, readInput: async () => input })
    // A refusal is that of each kind of signature.
    const ends = [await run(['payment'], challenge(url)), ...(status === 1 ? [await run(['read', url], '')] : [])]
    for (const end of ends) expect(end).toEqual([status, status === 1])
  })

  test('given a payment to a local stack, when it runs as a program, then it ends with the reason', () => {
    const ended = spawnSync(process.execPath, [join(repositoryRoot, 'scripts', 'sign.mjs'), 'payment'], {
      input: challenge('http://127.0.0.1:3000/api/tasks'),
      encoding: 'utf8',
      env: { PATH: process.env.PATH, KEY: generatePrivateKey() },
    })
    expect([ended.status, ended.stdout]).toEqual([1, ''])
    expect(ended.stderr).toMatch(reason)
  })

  /** What each kind without a URL of its own signs, and the reason that an input has. */
  const inputs: [string[], object][] = [
    [['message', 'service:submit:0x'], {}],
    [
      ['withdrawal', '1000'],
      {
        withdrawalAddress: testDeployment.market,
        usdcDomain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: testDeployment.usdc },
      },
    ],
    [['legal'], { message: 'x', nonce: 'n', bundle: { version: '1', bundleDigest: 'd', documents: [] } }],
  ]
  const signed = (words: string[], input: object, env: Record<string, string> = {}) => {
    const privateKey = generatePrivateKey()
    const { address: walletAddress } = privateKeyToAccount(privateKey)
    const readInput = async () => JSON.stringify({ ...input, walletAddress })
    return endOf(words, { environment: { ...env, KEY: privateKey }, readInput })
  }

  test.each(inputs)(
    'given a real key to sign %j, then it is refused for each way to name a local stack',
    async (words, input) => {
      const named: [string[], Record<string, string>][] = [
        [['--url', 'http://127.0.0.1:3000'], {}],
        [['--deployment', files.local], {}],
        [['--deployment', files.stack], {}],
        [[], { TASK_MARKET_URL: 'http://api.localhost:3000' }],
        [[], { TASK_MARKET_RPC_URL: 'http://[::1]:8545' }],
        [[], { TASK_MARKET_DEPLOYMENT: files.stack }],
      ]
      for (const [more, env] of named) expect(await signed([...words, ...more], input, env)).toEqual([1, true])
      const real = ['--url', 'https://market.example', '--deployment', files.base]
      expect(await signed([...words, ...real], input)).toEqual([0, false])
      expect(await signed([...words, '--real-key', '--deployment', files.local], input)).toEqual([0, false])
    },
  )

  test('given policies whose texts are on this machine, then a real key does not sign them', async () => {
    const documents = [{ url: 'http://127.0.0.1:3000/api/legal/documents/1' }]
    const challenge = { message: 'x', nonce: 'n', bundle: { version: '1', bundleDigest: 'd', documents } }
    expect(await signed(['legal'], challenge)).toEqual([1, true])
  })
})

/** The exit code of the signing script, and whether a refusal gives the reason. */
async function endOf(words: string[], call: Parameters<typeof sign>[1]): Promise<[status: number, isReason: boolean]> {
  try {
    expect(await sign(words, call)).toMatch(/./)
    return [0, false]
  } catch (error) {
    return [1, reason.test((error as Error).message)]
  }
}
