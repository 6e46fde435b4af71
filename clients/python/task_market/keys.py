"""Keys and signatures: keccak256, EIP-191 and the digests of EIP-712."""

import hashlib
import secrets

import ecdsa
from Cryptodome.Hash import keccak


def keccak256(data: bytes) -> bytes:
    return keccak.new(digest_bits=256, data=data).digest()


def to_hex(data: bytes) -> str:
    return "0x" + data.hex()


def from_hex(text: str) -> bytes:
    return bytes.fromhex(text.removeprefix("0x"))


def to_checksum(address: str) -> str:
    """Formats an address with its EIP-55 checksum. Example: `0x976ea740...` is `0x976EA740...`."""
    digits = address.removeprefix("0x").lower()
    nibbles = keccak256(digits.encode()).hex()
    return "0x" + "".join(d.upper() if n > "7" else d for d, n in zip(digits, nibbles))


class Wallet:
    """A private key in memory. Signatures are deterministic (RFC 6979): equal texts have equal signatures.

    Example: `Wallet("0x4bbb...4356").sign_text("hi")` is 0x and 130 hex digits.
    """

    def __init__(self, private_key: str):
        """Loads a key. `private_key`: 0x and 64 hex digits. @raises ValueError for another length"""
        secret = from_hex(private_key)
        if len(secret) != 32:
            raise ValueError("a private key is 0x and 64 hex digits")
        self._key = ecdsa.SigningKey.from_string(secret, curve=ecdsa.SECP256k1)
        self.address = _address_of(self._key.verifying_key)

    @classmethod
    def create(cls) -> "Wallet":
        """Creates a wallet with a random key, which is not stored anywhere."""
        return cls(to_hex((secrets.randbelow(ecdsa.SECP256k1.order - 1) + 1).to_bytes(32, "big")))

    def __repr__(self) -> str:
        return f"Wallet({self.address})"

    def sign_digest(self, digest: bytes) -> str:
        """Signs 32 bytes; returns the 65 bytes of Ethereum: r, the low s, and v (27 or 28)."""
        signature = self._key.sign_digest_deterministic(
            digest, hashfunc=hashlib.sha256, sigencode=ecdsa.util.sigencode_string_canonize
        )
        points = ecdsa.VerifyingKey.from_public_key_recovery_with_digest(
            signature, digest, ecdsa.SECP256k1, hashfunc=hashlib.sha256
        )
        parity = [_address_of(point) for point in points].index(self.address)
        return to_hex(signature + bytes([27 + parity]))

    def sign_text(self, text: str) -> str:
        """Signs a text as `personal_sign` (EIP-191)."""
        return self.sign_digest(digest_of_text(text))


def digest_of_text(text: str) -> bytes:
    data = text.encode()
    return keccak256(b"\x19Ethereum Signed Message:\n" + str(len(data)).encode() + data)


def _address_of(public: ecdsa.VerifyingKey) -> str:
    return to_hex(keccak256(public.to_string())[-20:])
