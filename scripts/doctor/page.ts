import { checks } from '../../ops/doctor/checks.ts'
import { TIME_LIMIT_MS } from '../../ops/doctor/run-checks.ts'
import { generatedBy } from '../generated-by.ts'
import { linkPages } from '../link-pages.ts'

/** Returns the text of docs/operate/doctor.md. */
export function toDoctorPage(): string {
  return `# Doctor

${generatedBy('scripts/doctor-page.ts', 'ops/doctor')}

Find out what is wrong on a machine and what to do about it. \`npm run doctor\` checks everything that the programs need, before their
first start and at any time after it. It needs the environment of a program:

\`\`\`sh
cd /opt/task-market && (set -a && . ops/environment/api.env && npm run doctor)       # beside units, as root; also indexer.env
docker compose -f ops/container/compose.yaml run --rm api doctor                     # with compose; also indexer doctor
\`\`\`

With the environment of the service it checks the service, with that of the indexer the indexer; \`DATABASE_URL\` is on the login of
each. What is not set is \`-\` in the report, not checked on this machine, and no fault: the indexer's machine needs no keys. With
nothing set, it checks the stack that \`npm start\` runs in the same clone.

- All checks run at once. One without an answer within its time limit has the fault \`no_answer\`, or is \`-\` where it needs what
  another check found wrong.
- It writes nothing but a small file into the storage of files, which it removes (root none into a folder of another user), and starts nothing but the process that plans a
  query of analysts. It is safe beside running programs.
- No key, password or path of a URL is printed.
- The exit code is 0 where nothing is wrong, warnings or not, 1 where something is wrong, 2 at a wrong option.
- \`npm run --silent doctor -- --json\` prints \`{ "status", "findings" }\`. \`status\` is \`ok\`, \`warning\` or \`wrong\`. A finding has \`check\`, \`result\` (\`ok\`,
  \`warning\`, \`wrong\`, \`unchecked\`) and \`finding\`; one with a fault has \`fault\`, a name of the tables below, and \`remedy\`.

## Checks

What has the fault stands in the place of \`...\`; figures or a reason follow the sentence.

${toSections()}
`
}

/** Renders a section for each check: what it looks at, its faults and their remedies. */
function toSections(): string {
  const sections = checks.map(({ name, looksAt, faults, timeLimitMs = TIME_LIMIT_MS }) => {
    const rows = Object.entries(faults).map(
      ([fault, { result, meaning, remedy }]) => `| \`${fault}\` | ${result} | ${cell(meaning)} | ${cell(remedy)} |`,
    )
    return `### ${name}

Looks at ${looksAt}. Time limit: ${timeLimitMs / 1000} s.

| fault | result | finding | remedy |
|---|---|---|---|
${rows.join('\n')}`
  })
  return linkPages(sections.join('\n\n'), 'docs/operate/doctor.md')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
