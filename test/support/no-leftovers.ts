import { afterAll } from 'vitest'
import { endOwnProcesses } from '../../ops/process/process-registry.ts'

// Registered before any hook of the file, so that it runs after them all.
afterAll(async () => {
  const leftovers = await endOwnProcesses()
  if (leftovers.length > 0) throw new Error(`this file left processes behind: ${leftovers.join(', ')}`)
})
