// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721URIStorage} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721URIStorage.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title ERC-8004 identity registry of the local chain
/// @notice Has the same functions, events and revert messages as the deployed registry at
/// 0x8004A169FB4a3325136EB29fA0ceB6D2e539a432. Agent ids are counted from 0. An agent belongs to the owner of the
/// agent's token. A change of the owner deletes the agent's wallet. The local chain never runs the constructor.
/// Functions must therefore not read values that only the constructor stores.
contract IdentityRegistry is ERC721URIStorage {
    /// @notice One metadata value of an agent.
    /// @param metadataKey Key of the value; any key except "agentWallet".
    /// @param metadataValue The value, which may be any bytes.
    struct MetadataEntry {
        string metadataKey;
        bytes metadataValue;
    }

    /// @dev Hash of the reserved metadata key "agentWallet".
    bytes32 private constant WALLET_KEY_HASH = keccak256("agentWallet");
    /// @dev Hash of the EIP-712 type of the message by which an account agrees to become the wallet of an agent.
    bytes32 private constant WALLET_TYPEHASH =
        keccak256("AgentWalletSet(uint256 agentId,address newWallet,address owner,uint256 deadline)");
    /// @dev Hash of the type of the EIP-712 domain.
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    /// @dev The highest number of seconds from now to the deadline of the signature in `setAgentWallet`.
    uint256 private constant MAX_DEADLINE_DELAY = 5 minutes;

    /// @dev Id of the next agent.
    uint256 private _nextId;
    /// @dev Metadata values by agent and key.
    mapping(uint256 agentId => mapping(string key => bytes value)) private _metadata;
    /// @dev Wallets by agent.
    mapping(uint256 agentId => address wallet) private _wallets;

    /// @notice An agent was registered.
    event Registered(uint256 indexed agentId, string agentURI, address indexed owner);
    /// @notice A metadata value was set.
    event MetadataSet(
        uint256 indexed agentId, string indexed indexedMetadataKey, string metadataKey, bytes metadataValue
    );
    /// @notice The URI of an agent was set.
    event URIUpdated(uint256 indexed agentId, string newURI, address indexed updatedBy);

    /// @dev Reverts unless the caller is the agent's owner, an operator of the owner, or approved for the agent.
    modifier onlyAuthorized(uint256 agentId) {
        require(_isAuthorized(ownerOf(agentId), msg.sender, agentId), "Not authorized");
        _;
    }

    /// @dev Sets the name and the symbol of the ERC-721 collection.
    constructor() ERC721("AgentIdentity", "AGENT") {}

    /// @notice Returns the name of the collection.
    function name() public pure override returns (string memory) {
        return "AgentIdentity";
    }

    /// @notice Returns the symbol of the collection.
    function symbol() public pure override returns (string memory) {
        return "AGENT";
    }

    /// @notice Registers an agent that belongs to the caller. The agent has no URI.
    function register() external returns (uint256 agentId) {
        agentId = _register("");
        _safeMint(msg.sender, agentId);
    }

    /// @notice Registers an agent that belongs to the caller. Sets the URI of the agent.
    function register(string memory agentURI) external returns (uint256 agentId) {
        agentId = _register(agentURI);
        _safeMint(msg.sender, agentId);
    }

    /// @notice Registers an agent that belongs to the caller. Sets the URI and the metadata of the agent.
    function register(string memory agentURI, MetadataEntry[] memory metadata) external returns (uint256 agentId) {
        agentId = _register(agentURI);
        for (uint256 i; i < metadata.length; i++) {
            _setMetadata(agentId, metadata[i].metadataKey, metadata[i].metadataValue);
        }
        _safeMint(msg.sender, agentId);
    }

    /// @notice Sets the URI of an agent's registration file.
    function setAgentURI(uint256 agentId, string calldata newURI) external onlyAuthorized(agentId) {
        _setTokenURI(agentId, newURI);
        emit URIUpdated(agentId, newURI, msg.sender);
    }

    /// @notice Sets a metadata value of an agent.
    function setMetadata(uint256 agentId, string memory metadataKey, bytes memory metadataValue)
        external
        onlyAuthorized(agentId)
    {
        _setMetadata(agentId, metadataKey, metadataValue);
    }

    /// @notice Sets the wallet of an agent. The new wallet must sign its consent (EIP-712). A contract can sign by
    /// ERC-1271.
    /// @param deadline The last Unix time in seconds at which the signature is valid; at most 5 minutes from now.
    function setAgentWallet(uint256 agentId, address newWallet, uint256 deadline, bytes calldata signature)
        external
        onlyAuthorized(agentId)
    {
        require(newWallet != address(0), "bad wallet");
        require(block.timestamp <= deadline, "expired");
        require(deadline <= block.timestamp + MAX_DEADLINE_DELAY, "deadline too far");
        bytes32 structHash = keccak256(abi.encode(WALLET_TYPEHASH, agentId, newWallet, ownerOf(agentId), deadline));
        bytes32 digest = MessageHashUtils.toTypedDataHash(_domainSeparator(), structHash);
        (address signer, ECDSA.RecoverError problem,) = ECDSA.tryRecoverCalldata(digest, signature);
        bool isKey = problem == ECDSA.RecoverError.NoError && signer == newWallet;
        require(
            isKey || SignatureChecker.isValidERC1271SignatureNowCalldata(newWallet, digest, signature),
            "invalid wallet sig"
        );
        _setWallet(agentId, newWallet);
    }

    /// @notice Deletes the wallet of an agent.
    function unsetAgentWallet(uint256 agentId) external onlyAuthorized(agentId) {
        _setWallet(agentId, address(0));
    }

    /// @notice Returns a metadata value of an agent; empty if the value is not set.
    function getMetadata(uint256 agentId, string memory metadataKey) external view returns (bytes memory) {
        return _metadata[agentId][metadataKey];
    }

    /// @notice Returns the wallet of an agent; zero if the agent has no wallet.
    function getAgentWallet(uint256 agentId) external view returns (address) {
        _requireOwned(agentId);
        return _wallets[agentId];
    }

    /// @notice Returns whether an account owns an agent or may act for the agent's owner.
    function isAuthorizedOrOwner(address spender, uint256 agentId) external view returns (bool) {
        return _isAuthorized(ownerOf(agentId), spender, agentId);
    }

    /// @dev Stores a new agent, with the caller as the agent's wallet.
    function _register(string memory agentURI) private returns (uint256 agentId) {
        agentId = _nextId++;
        if (bytes(agentURI).length > 0) _setTokenURI(agentId, agentURI);
        _setWallet(agentId, msg.sender);
        emit Registered(agentId, agentURI, msg.sender);
    }

    /// @dev Stores and logs a metadata value. Reverts for the reserved key "agentWallet".
    function _setMetadata(uint256 agentId, string memory key, bytes memory value) private {
        require(keccak256(bytes(key)) != WALLET_KEY_HASH, "reserved key");
        _metadata[agentId][key] = value;
        emit MetadataSet(agentId, key, key, value);
    }

    /// @dev Stores the wallet of an agent, also as the metadata value "agentWallet".
    function _setWallet(uint256 agentId, address wallet) private {
        bytes memory value = wallet == address(0) ? bytes("") : abi.encodePacked(wallet);
        _wallets[agentId] = wallet;
        _metadata[agentId]["agentWallet"] = value;
        emit MetadataSet(agentId, "agentWallet", "agentWallet", value);
    }

    /// @dev Mints or transfers an agent. A transfer deletes the agent's wallet.
    function _update(address to, uint256 agentId, address auth) internal override returns (address from) {
        from = super._update(to, agentId, auth);
        if (from != address(0) && to != address(0)) _setWallet(agentId, address(0));
    }

    /// @dev Returns the EIP-712 domain separator. It is computed at each call, because the local chain never runs the
    /// constructor.
    function _domainSeparator() private view returns (bytes32) {
        return keccak256(
            abi.encode(
                DOMAIN_TYPEHASH, keccak256("ERC8004IdentityRegistry"), keccak256("1"), block.chainid, address(this)
            )
        );
    }
}
