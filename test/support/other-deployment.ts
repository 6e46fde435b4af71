import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'

/** The path of a deployment file that differs from that of the stack in its forwarder, for the test that runs. */
export function aDeploymentOf(forwarder: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'task-market-deployment-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const file = JSON.parse(readFileSync(inject('conformanceStack').deploymentFile, 'utf8'))
  file.contracts.forwarder.address = forwarder
  const path = join(directory, 'deployment.json')
  writeFileSync(path, JSON.stringify(file))
  return path
}
