import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { flattenDeploymentFile } from '../../../protocol/rules/deployment-file.ts'
import { readRecordedRelease } from '../../../scripts/release/recorded-release.ts'
import { type Cleanups, createCleanups } from '../../support/cleanups.ts'
import { installCommit, type ReleaseProgram, startProgram, untilLogged } from '../../upgrade/release.ts'
import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
import { practiseUnderLoad } from '../inject/outage.ts'

/**
 * API processes and indexer are replaced by those of the release before, one after the other, and these by the newer ones again
 * (docs/operate/upgrades.md, "Roll back"). Each release continues the writes of the other.
 */
export const faultCases: readonly FaultCase[] = [
  {
    name: 'the release is taken back, and comes again',
    topology: 2,
    short: false,
    needsOwnEnvironment: true,
    // Packages of the older release are installed in it.
    deadlineMs: 1_200_000,
    run: rollBack,
  },
]

/** Creations read no row: rows are late while a second indexer reads the chain on the same processors. */
const classes = ['create']

async function rollBack(context: FaultCaseContext): Promise<void> {
  const cleanups = createCleanups()
  try {
    await goBackAndForth(context, cleanups)
  } finally {
    await cleanups.run()
  }
}

async function goBackAndForth(context: FaultCaseContext, cleanups: Cleanups): Promise<void> {
  const { environment } = context
  const { commit } = readRecordedRelease()
  const root = await installCommit(commit, cleanups)
  // Older releases read a flat file, and newer ones both.
  const deploymentFile = join(environment.directory, 'deployment-flat.json')
  const deployment = flattenDeploymentFile(JSON.parse(readFileSync(environment.deploymentFile, 'utf8')))
  writeFileSync(deploymentFile, JSON.stringify(deployment))
  const older = { DEPLOYMENT_FILE: deploymentFile }

  let indexer: ReleaseProgram | null = null
  await practiseUnderLoad(context, {
    what: `back to ${commit.slice(0, 8)}`,
    classes,
    practise: async () => {
      await replaceApis(context, older, root)
      indexer = await startProgram(root, 'indexer', {
        settings: {
          ...older,
          DATABASE_URL: environment.indexerUrl,
          RPC_URL: environment.anvil.url,
          LOCAL_CHAIN: '1',
          LOCAL_DIRECTORY: join(environment.directory, 'older'),
        },
        logFile: join(environment.directory, 'logs', 'older-indexer.log'),
        cleanups,
      })
      await untilLogged(indexer, /is served|waiting for its end/)
      await environment.indexer.stop()
      await untilLogged(indexer, /is served/)
    },
  })
  await practiseUnderLoad(context, {
    what: 'again to this one',
    classes,
    practise: async () => {
      // Where the rows of both are the same, the newer indexer waits for the end of the older one.
      const isBeside = !indexer?.child.readLog().includes(`${environment.indexer.schema} is served`)
      if (!isBeside) await indexer?.child.stop()
      await environment.restartIndexer()
      await indexer?.child.stop()
      await replaceApis(context)
    },
  })
}

/** One after the other. @param root of the release that takes their place; default: this one */
async function replaceApis({ replicas }: FaultCaseContext, settings?: Record<string, string>, root?: string) {
  for (const replica of replicas) {
    await replica.stop()
    await replica.start(settings, root)
  }
}
