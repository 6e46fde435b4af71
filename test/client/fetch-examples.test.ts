import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { runCommand } from '../../scripts/stack/run-command.ts'
import { createClockSkew } from '../faults/inject/clock-skew.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aDeploymentOf } from '../support/other-deployment.ts'

const environment = openEnvironment()
const pathOf = (name: string) => join(repositoryRoot, 'examples', 'fetch', `${name}.mjs`)

/** Runs an example to its end; what it printed. */
async function runExample(name: string, tag: string, variables: Record<string, string>): Promise<string> {
  // It takes the host's clock for the chain's, which tests of this stack move ahead.
  const clock = createClockSkew(Number(await environment.chain.headTime()) * 1000 - Date.now())
  onTestFinished(clock.remove)
  const { exitCode, output } = await runCommand(process.execPath, [pathOf(name), tag], {
    name,
    environment: { BASE_URL: environment.baseUrl, ...clock.environment, ...variables },
  })
  expect(exitCode, output).toBe(0)
  return output
}

test('given the examples on plain fetch, then they publish, deliver, pay and earn', async () => {
  const [requester, worker] = [await environment.aWallet(), await environment.aWallet()]
  const money = await environment.chain.watch({ requester: requester.address, worker: worker.address })
  const tag = `fetch-${crypto.randomUUID()}`
  const { deploymentFile } = inject('conformanceStack')
  const [requested, worked] = await Promise.all([
    runExample('requester', tag, { REQUESTER_KEY: requester.key, DEPLOYMENT: deploymentFile }),
    runExample('worker', tag, { WORKER_KEY: worker.key }),
  ])
  expect(requested).toContain(`paid ${worker.account.address}`)
  expect(worked).toContain('earned 1850000 base units')
  expect(await money.changes()).toEqual({ requester: -2_002_000n, worker: 1_850_000n })
})

test('given another receiver than the one that it was told, then the requester pays nothing', async () => {
  const requester = await environment.aWallet()
  const money = await environment.chain.watch({ requester: requester.address })
  const { exitCode, output } = await runCommand(process.execPath, [pathOf('requester'), 'x'], {
    name: 'requester',
    environment: {
      BASE_URL: environment.baseUrl,
      REQUESTER_KEY: requester.key,
      DEPLOYMENT: aDeploymentOf(requester.address),
    },
  })
  expect(exitCode).not.toBe(0)
  expect(output).toContain('asks for another payment')
  expect(await money.changes()).toEqual({ requester: 0n })
})
