import { expect, test } from 'vitest'
import { withoutComments } from '../../../ops/indexer/without-comments.ts'

const code = `const first = 1\n\nconst second = {\n  third: 3,\n}\n`

test.each([
  ['a line of its own', `const first = 1\n\n// why\nconst second = {\n  third: 3,\n}\n`],
  ['several lines of its own', `const first = 1\n\n/**\n * why\n */\nconst second = {\n  third: 3,\n}\n`],
  ['a line within a block', `const first = 1\n\nconst second = {\n  /** why */\n  third: 3,\n}\n`],
  ['a line between blank ones', `const first = 1\n\n// why\n\nconst second = {\n  third: 3,\n}\n`],
  ['the end of a line', `const first = 1 // why\n\nconst second = {\n  third: 3,\n}\n`],
  ['the end of a line, as a block', `const first = 1 /* why */\n\nconst second = {\n  third: 3,\n}\n`],
  ['the begin of the file', `// why\n\n${code}`],
  ['the end of the file', `${code}\n// why\n`],
])('given a comment on %s, then it is the code without it', (_place, commented) => {
  expect(withoutComments('a.ts', commented)).toBe(code)
})

test('given a comment within a line, then its text does not count, and it separates what it separated', () => {
  expect(withoutComments('a.ts', 'typeof/* one */value\n')).toBe('typeof value\n')
  expect(withoutComments('a.ts', 'value = first/* a\nb */second()\n')).toBe('value = first\nsecond()\n')
})

test.each([
  ['a string', `const url = 'https://example.com' + "/* no comment */"\n`],
  ['a template', 'const text = `\n\n  // no comment\n\n`\n'],
  ['an expression', 'const pattern = /[/*]\\/\\/[*/]/\n'],
  ['text of two units before it', `const text = '🦄 // no comment'\n`],
])('given what looks like a comment in %s, then it stays', (_place, content) => {
  expect(withoutComments('a.ts', content)).toBe(content)
})

test('given a comment behind text of two units, then it is removed alone', () => {
  expect(withoutComments('a.ts', `const text = '🦄' // why\nconst next = 1\n`)).toBe(
    `const text = '🦄'\nconst next = 1\n`,
  )
})

test('given another file, then it is returned as it is', () => {
  expect(withoutComments('a.json', '{ "url": "https://example.com" }')).toBe('{ "url": "https://example.com" }')
})
