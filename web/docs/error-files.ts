import { type Detail, type DetailPage, detailNames, details } from '../../protocol/details.ts'

/** The folder of the pages, which have no files. */
const FOLDER = ['docs', 'errors'].join('/')

/** The index of all error details and the page of each one, as Markdown. Example: `wrong_state.md` in the folder `errors`. */
export function errorFiles(): { file: string; text: string }[] {
  const pages = detailNames.map((name) => ({ file: `${FOLDER}/${name}.md`, text: detailText(name) }))
  return [{ file: `${FOLDER}/README.md`, text: indexText() }, ...pages]
}

function indexText(): string {
  const rows = detailNames.map((name) => `- [${name}](${name}.md): ${details[name].meaning}`)
  return `# Errors

Each refusal names its condition in \`service.detail\` of the body, and the page of it in \`service.docs\`.

${rows.join('\n')}
`
}

function detailText(name: Detail): string {
  const { meaning, remedy, charge = 'Nothing was charged.' }: DetailPage = details[name]
  return `# ${name}

${meaning}

## What to do

${remedy}

## Cost

${charge}
`
}
