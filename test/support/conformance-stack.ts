import type { TestProject } from 'vitest/node'
import './conformance.ts'
import { startTestStack } from './stack.ts'

/** The loops are woken for what a request waits for; tests of the loops themselves have stacks of their own. */
const pollingIntervalMs = '200'

/** Starts the stack that all files of a run share, those of several projects too, and ends it with the run. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const root = project.vitest.getRootProject()
  if (root.getProvidedContext().conformanceStack !== undefined) return undefined
  const { postgresUrl } = root.getProvidedContext()
  const stack = await startTestStack({
    postgresUrl,
    // A worker reaches the ceiling of its submissions in a few of them.
    apiEnvironment: { POLLING_INTERVAL_MS: pollingIntervalMs, SUBMISSION_CEILING: '10' },
  })
  const { anvil, databaseUrl, logins, deploymentFile, artifactDirectory, deployment } = stack
  root.provide('conformanceStack', {
    baseUrl: stack.baseUrl(),
    rpcUrl: anvil.url,
    databaseUrl,
    logins,
    deploymentFile,
    artifactDirectory,
    deployment,
  })
  return stack.stop
}
