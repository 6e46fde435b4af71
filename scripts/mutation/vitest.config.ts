import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import root from '../../vitest.config.ts'

/** Globs of the test files of the mutated part, by vitest project. */
const tests: Record<string, string[]> = JSON.parse(process.env.MUTATION_TESTS ?? '{}')
const projects = (root.test?.projects ?? []) as TestProjectInlineConfiguration[]

/**
 * Configuration of vitest with the projects of vitest.config.ts that the mutated part names. Each project runs only the
 * part's tests.
 */
export default defineConfig({
  test: {
    projects: projects.flatMap(({ test }) => {
      const include = tests[String(test?.name)]
      return include === undefined ? [] : [{ test: { ...test, include } }]
    }),
  },
})
