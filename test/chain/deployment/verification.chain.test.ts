import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Hex } from 'viem'
import { expect, onTestFinished, test } from 'vitest'
import { contractsRoot, repositoryRoot } from '../../../scripts/contracts/paths.ts'
import { toEtherscan } from '../../../scripts/contracts/verification/etherscan.ts'
import { toSourcify } from '../../../scripts/contracts/verification/sourcify.ts'
import type { VerifiableContract } from '../../../scripts/contracts/verification/standard-json.ts'
import { listVerifiable } from '../../../scripts/contracts/verification/standard-json.ts'
import type { Verifier } from '../../../scripts/contracts/verification/submit.ts'
import { byDepth } from '../../support/depth.ts'
import { examplePlan, runCommand, setupWords, useDeployEnvironment } from './deploy-environment.ts'

const environment = useDeployEnvironment((prepared) => runCommand(prepared, setupWords))
const polling = { pollInterval: 1, timeout: 60_000 }

/** A contract with arguments that is linked; in the long version a library, and one that creates others, too. */
const recompiled = byDepth(
  ['BonusHook'],
  [
    'EvaluationLib',
    'IdentityRegistrar',
    'PaymentForwarder',
    'TaskMarket',
    'SponsoredTasksHook',
    'SponsoredVaultFactory',
    'SponsoredVault',
    'BonusHook',
  ],
)

test('given the written inputs, when the compiler gets them, then it makes the code that is on the chain', async () => {
  const folder = join(environment.folder, 'inputs')
  const ran = await runCommand(environment, ['verify', '--no-submit', '--out', folder])
  const contracts = JSON.parse(readFileSync(join(folder, 'contracts.json'), 'utf8')) as VerifiableContract[]
  expect(ran.text).toContain(`${contracts.length} inputs of the compiler`)
  const { steps } = examplePlan()
  for (const { name, address, contractIdentifier, constructorArguments } of contracts) {
    if (!recompiled.includes(name)) continue
    const { creation, runtime, immutables } = await compile(join(folder, `${name}.json`), contractIdentifier)
    const piece = steps.find((step) => step.piece?.name === name)?.piece
    if (piece !== undefined) expect(`${creation}${constructorArguments.slice(2)}`).toBe(piece.creationCode)
    const code = (await environment.client.getCode({ address })) ?? '0x'
    expect(without(code, immutables), name).toBe(without(withOwnAddress(runtime, address), immutables))
  }
}, 300_000)

test('given a verifier like Sourcify, then every contract is submitted once and its job is followed', async () => {
  const requests: { path: string; body: unknown }[] = []
  const jobs = new Map<string, number>()
  const url = await serve(async (request) => {
    const path = String(request.url)
    if (request.method === 'POST') {
      requests.push({ path, body: JSON.parse(await text(request)) })
      jobs.set(`job-${requests.length}`, 0)
      return [202, { verificationId: `job-${requests.length}` }]
    }
    const id = path.split('/').at(-1) ?? ''
    const asked = (jobs.get(id) ?? 0) + 1
    jobs.set(id, asked)
    const match = asked < 2 ? null : 'match'
    return [
      200,
      {
        isJobCompleted: asked >= 2,
        verificationId: id,
        contract: { match, creationMatch: match, runtimeMatch: match },
      },
    ]
  })
  const ran = await runCommand(
    environment,
    ['verify', '--out', join(environment.folder, 'sent'), '--sourcify-url', url],
    { polling },
  )
  const contracts = listVerifiable(examplePlan())
  expect(ran.exitCode).toBe(0)
  expect(ran.text).toContain('etherscan is left out')
  expect(requests.map(({ path }) => path)).toEqual(
    contracts.map(({ address }) => `/v2/verify/${environment.client.chain.id}/${address}`),
  )
  expect(requests[0]?.body).toEqual({
    stdJsonInput: contracts[0]?.standardJson,
    compilerVersion: contracts[0]?.compilerVersion,
    contractIdentifier: contracts[0]?.contractIdentifier,
  })
  expect(ran.lines.filter((line) => line.startsWith('ok'))).toHaveLength(contracts.length)
})

test.each([
  [
    'verified before',
    [409, { customCode: 'already_verified', message: 'is already verified', errorId: 'e' }],
    true,
    '',
  ],
  [
    'unknown chain',
    [400, { customCode: 'unsupported_chain', message: 'The chain is not supported', errorId: 'e' }],
    false,
    'refused with 400: The chain is not supported',
  ],
  ['a job that fails', [202, { verificationId: 'j' }], false, 'The bytecodes do not match'],
] as const)('given an answer of Sourcify, %s, then it is told', async (_what, answer, isVerified, says) => {
  const error = { customCode: 'no_match', message: 'The bytecodes do not match', errorId: 'e' }
  const url = await serve(async ({ method }) =>
    method === 'POST' ? answer : [200, { isJobCompleted: true, verificationId: 'j', error }],
  )
  const verdict = await submitOne(toSourcify({ url, chainId: 1 }, polling))
  expect(verdict.isVerified).toBe(isVerified)
  if (!isVerified) expect(verdict.says).toBe(says)
})

test.each([
  [{ status: '1', message: 'OK', result: 'Pass - Verified' }, true],
  [{ status: '0', message: 'NOTOK', result: 'Already Verified' }, true],
  [{ status: '0', message: 'NOTOK', result: 'Fail - Unable to verify' }, false],
])('given a verifier like Etherscan that answers %j in the end, then that is told', async (end, isVerified) => {
  const forms: URLSearchParams[] = []
  let asked = 0
  const url = await serve(async (request) => {
    const { searchParams } = new URL(String(request.url), 'http://host')
    expect(searchParams.get('chainid')).toBe('84532')
    if (request.method === 'POST') {
      forms.push(new URLSearchParams(await text(request)))
      return [200, { status: '1', message: 'OK', result: 'the-guid' }]
    }
    expect(Object.fromEntries(searchParams)).toMatchObject({
      action: 'checkverifystatus',
      guid: 'the-guid',
      apikey: 'k',
    })
    asked += 1
    return [200, asked === 1 ? { status: '0', message: 'NOTOK', result: 'Pending in queue' } : end]
  })
  const verdict = await submitOne(toEtherscan({ url, chainId: 84532, key: 'k' }, polling))
  expect(verdict.isVerified).toBe(isVerified)
  const market = marketOf()
  expect(Object.fromEntries(forms[0] ?? [])).toMatchObject({
    action: 'verifysourcecode',
    codeformat: 'solidity-standard-json-input',
    contractname: 'src/TaskMarket.sol:TaskMarket',
    compilerversion: expect.stringMatching(/^v0\.8\.\d+\+commit\./),
    contractaddress: market.address,
    constructorArguements: market.constructorArguments.slice(2),
    sourceCode: JSON.stringify(market.standardJson),
  })
})

test('given a verifier that is not there, then the command says so and where the inputs are', async () => {
  const url = 'http://127.0.0.1:9'
  await expect(submitOne(toSourcify({ url, chainId: 1 }, polling))).rejects.toThrow(
    /127\.0\.0\.1:9 gave no answer.*The inputs are written; run the command again/,
  )
})

function marketOf(): VerifiableContract {
  const market = listVerifiable(examplePlan()).find(({ name }) => name === 'TaskMarket')
  if (market === undefined) throw new Error('the plan has no market')
  return market
}

const submitOne = (verifier: Verifier) => verifier.submit(marketOf())

async function serve(answer: (request: IncomingMessage) => Promise<readonly [number, unknown]>): Promise<string> {
  const server = createServer((request, response) => {
    void answer(request).then(([status, body]) => {
      response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

type Places = Record<string, { start: number; length: number }[]>

async function compile(file: string, contractIdentifier: string) {
  const [path = '', name = ''] = contractIdentifier.split(':')
  const compiler = join(repositoryRoot, 'scripts', 'contracts', 'solc.mjs')
  const output = await new Promise<string>((resolve, reject) => {
    const options = { cwd: contractsRoot, maxBuffer: 100_000_000 }
    const child = execFile(process.execPath, [compiler, '--standard-json'], options, (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    )
    child.stdin?.end(readFileSync(file, 'utf8'))
  })
  const { bytecode, deployedBytecode } = JSON.parse(output).contracts[path][name].evm
  return {
    creation: `0x${bytecode.object}`,
    runtime: `0x${deployedBytecode.object}` as Hex,
    immutables: deployedBytecode.immutableReferences as Places,
  }
}

/** A library begins with its own address once it is deployed. */
function withOwnAddress(runtime: Hex, address: Hex): Hex {
  return runtime.replace(/^0x73(0{40})/, `0x73${address.slice(2).toLowerCase()}`) as Hex
}

function without(code: Hex, immutables: Places): string {
  const bytes = Buffer.from(code.slice(2), 'hex')
  for (const { start, length } of Object.values(immutables).flat()) bytes.fill(0, start, start + length)
  return bytes.toString('hex')
}
