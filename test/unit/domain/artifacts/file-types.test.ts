import { describe, expect, test } from 'vitest'
import { findTypeOfName, kindOfFile, typeOfStoredFile } from '../../../../api/domain/artifacts/file-types.ts'
import { extensionTypes, nameTypes } from '../../../../client/src/files/file-types.ts'

const text = Buffer.from('const a = 1 // é\n')
const noise = Buffer.from([0, 1, 2, 0xff, 0xfe, 0, 9, 9, 9, 9, 9, 9])
const hex = (digits: string) => Buffer.from(digits, 'hex')
const kindOf = (fileName: string, bytes: Uint8Array, mimeType = 'application/octet-stream') =>
  kindOfFile({ fileName, mimeType }, bytes, false)

describe('A file of a type that says nothing', () => {
  test.each([
    ['a.ts', text, 'text'],
    ['a.py', text, 'text'],
    ['a.sol', text, 'text'],
    ['a.sh', text, 'text'],
    ['a.ipynb', text, 'text'],
    ['a.yaml', text, 'text'],
    ['README', text, 'text'],
    ['notes', text, 'text'],
    ['notes.xyz', text, 'text'],
    ['photo.webp', hex('524946460000000057454250565038'), 'image'],
    ['photo', hex('89504e470d0a1a0a'), 'image'],
    ['report', Buffer.from('%PDF-1.7'), 'pdf'],
    ['bundle', hex('504b030414'), 'archive'],
    ['letter.docx', hex('504b030414'), 'unknown'],
    ['letter.docx', hex('89504e470d0a1a0a'), 'image'],
    ['letter.docx', text, 'unknown'],
    ['song.mp3', noise, 'audio'],
    ['film.mp4', noise, 'video'],
    ['photo.png', noise, 'unknown'],
    ['a.py', noise, 'unknown'],
    ['data.bin', noise, 'unknown'],
    ['empty', Buffer.alloc(0), 'unknown'],
  ])('given %s, then its kind follows from name and content', (fileName, bytes, kind) => {
    expect(kindOf(fileName, bytes)).toBe(kind)
  })

  test('when a list of types took a script for a film, then its content decides', () => {
    expect(kindOf('a.ts', text, 'video/mp2t')).toBe('text')
    expect(kindOf('a.ts', noise, 'video/mp2t')).toBe('video')
  })

  test('when the declared type says something, then it stays', () => {
    expect(kindOf('a.py', text, 'image/png')).toBe('image')
    const file = { fileName: 'a.py', mediaKind: 'text' }
    expect(typeOfStoredFile({ ...file, mimeType: 'text/html' })).toBe('text/html')
  })

  test('when a long text ends within a character, then it is text', () => {
    expect(kindOfFile({ fileName: 'a', mimeType: 'application/octet-stream' }, hex('61c3'), true)).toBe('text')
    expect(kindOf('a', hex('61c3'))).toBe('unknown')
  })
})

test('given a name that is an extension without a dot, then it has no type', () => {
  expect(findTypeOfName('py')).toBeNull()
  expect(findTypeOfName('a.py')).toBe('text/x-python')
})

test('given the tables of service and client, then a name has one type', () => {
  expect(findTypeOfName('.sol')).toBe(findTypeOfName('a.sol'))
  for (const [extension, type] of Object.entries(extensionTypes)) expect(findTypeOfName(`a.${extension}`)).toBe(type)
  for (const [name, type] of Object.entries(nameTypes)) expect(findTypeOfName(name.toUpperCase())).toBe(type)
})
