import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import root from '../../vitest.config.ts'

/** Globs of tests by project, of the part that is mutated. */
const tests: Record<string, string[]> = JSON.parse(process.env.MUTATION_TESTS ?? '{}')
const projects = (root.test?.projects ?? []) as TestProjectInlineConfiguration[]

/** The projects of vitest.config.ts that a part names, with its tests alone. */
export default defineConfig({
  test: {
    projects: projects.flatMap(({ test }) => {
      const include = tests[String(test?.name)]
      return include === undefined ? [] : [{ test: { ...test, include } }]
    }),
  },
})
