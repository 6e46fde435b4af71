import { defineConfig } from 'vitest/config'
import { isDeep } from './test/support/depth.ts'

/** How long a condition may take to come true: patience for a busy machine, and no claim about speed. */
const expect = { poll: { timeout: 60_000 } }
/** Rare and slow tests, which `npm run test:deep` runs too. */
const exclude = isDeep ? [] : ['**/*.deep.test.ts']

/**
 * Three speeds. unit: pure rules. api: `app.request()` on rows of a real Postgres, no chain. chain, conformance and
 * scenarios: anvil, Postgres, Ponder and the API; stack: the launcher of all that; s3: an S3-compatible
 * server, where one is installed; cache: the service's HTTP server on rows behind nginx, where that is installed; browser:
 * pages in chromium, where that is installed; image: the image and the units of `ops`; upgrade: the release before beside this one; python: the package in Python, where what it needs is installed. These start many processes, so one file at a time.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          setupFiles: ['test/support/no-leftovers.ts'],
          expect,
          // Nothing is kept in modules, so files may share them: a third of the time.
          maxWorkers: '100%',
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'api',
          include: ['test/api/**/*.test.ts'],
          globalSetup: ['test/support/test-postgres.ts'],
          setupFiles: ['test/support/no-leftovers.ts'],
          expect,
          maxWorkers: '100%',
          isolate: false,
          testTimeout: 240_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'chain',
          include: ['test/chain/**/*.test.ts'],
          exclude,
          globalSetup: ['test/support/test-contracts.ts', 'test/support/test-postgres.ts'],
          setupFiles: ['test/support/no-leftovers.ts'],
          expect,
          fileParallelism: false,
          isolate: false,
          testTimeout: 240_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'conformance',
          include: ['test/conformance/**/*.test.ts'],
          exclude,
          globalSetup: [
            'test/support/test-contracts.ts',
            'test/support/test-postgres.ts',
            'test/support/conformance-stack.ts',
          ],
          setupFiles: ['test/support/no-leftovers.ts'],
          expect,
          fileParallelism: false,
          // Every file opens an environment of its own, so files may share modules: a quarter of the time.
          isolate: false,
          testTimeout: 240_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'scenarios',
          include: ['test/scenarios/**/*.test.ts'],
          // No other project follows on their stack: its chain runs ahead of the host's clock by months.
          globalSetup: [
            'test/support/test-contracts.ts',
            'test/support/test-postgres.ts',
            'test/support/conformance-stack.ts',
          ],
          setupFiles: ['test/support/no-leftovers.ts'],
          expect,
          fileParallelism: false,
          isolate: false,
          testTimeout: 240_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: 'stack',
          include: ['test/stack/**/*.test.ts'],
          setupFiles: ['test/support/no-leftovers.ts'],
          expect: { poll: { timeout: 60_000 } },
          fileParallelism: false,
          testTimeout: 240_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 4 },
        },
      },
      {
        test: {
          name: 'client',
          include: ['test/client/**/*.test.ts'],
          exclude,
          globalSetup: [
            'test/support/test-contracts.ts',
            'test/support/test-postgres.ts',
            'test/support/conformance-stack.ts',
          ],
          setupFiles: ['test/support/no-leftovers.ts'],
          expect,
          fileParallelism: false,
          isolate: false,
          // Several processes of the tool are started in one test.
          testTimeout: 180_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 6 },
        },
      },
      {
        test: {
          name: 's3',
          include: ['test/s3/**/*.test.ts'],
          globalSetup: ['test/support/test-postgres.ts', 'test/support/test-swift.ts'],
          setupFiles: ['test/support/no-leftovers.ts'],
          expect,
          fileParallelism: false,
          isolate: false,
          testTimeout: 240_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 5 },
        },
      },
      {
        test: {
          name: 'cache',
          include: ['test/cache/**/*.test.ts'],
          globalSetup: ['test/support/test-postgres.ts'],
          setupFiles: ['test/support/no-leftovers.ts'],
          expect,
          fileParallelism: false,
          testTimeout: 240_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 7 },
        },
      },
      {
        test: {
          name: 'python',
          include: ['test/python/**/*.test.ts'],
          globalSetup: [
            'test/support/test-contracts.ts',
            'test/support/test-postgres.ts',
            'test/support/conformance-stack.ts',
          ],
          setupFiles: ['test/support/no-leftovers.ts'],
          expect,
          fileParallelism: false,
          testTimeout: 240_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 5 },
        },
      },
      {
        test: {
          name: 'image',
          include: ['test/image/**/*.test.ts'],
          exclude,
          globalSetup: ['test/support/test-contracts.ts'],
          setupFiles: ['test/support/no-leftovers.ts'],
          expect,
          fileParallelism: false,
          testTimeout: 240_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 8 },
        },
      },
      {
        test: {
          name: 'upgrade',
          include: ['test/upgrade/**/*.test.ts'],
          exclude,
          globalSetup: ['test/support/test-contracts.ts'],
          setupFiles: ['test/support/no-leftovers.ts'],
          expect,
          fileParallelism: false,
          testTimeout: 240_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 9 },
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          exclude,
          globalSetup: [
            'test/support/test-contracts.ts',
            'test/support/test-postgres.ts',
            'test/support/conformance-stack.ts',
          ],
          setupFiles: ['test/support/no-leftovers.ts'],
          expect,
          fileParallelism: false,
          testTimeout: 240_000,
          hookTimeout: 300_000,
          sequence: { groupOrder: 5 },
        },
      },
    ],
  },
})
