"""The container image as an OCI layout, for both architectures, made without a daemon."""

from __future__ import annotations

import io
import json
import shutil
import tarfile
import tempfile
from pathlib import Path

import archive
import debian
import runtime
from files import CREATED, EPOCH, URL, VERSION, age, gzipped, revision, sha256, tar

USER = 10001
_HOME = "opt/phaseload"
_INDEX = "application/vnd.oci.image.index.v1+json"
_MANIFEST = "application/vnd.oci.image.manifest.v1+json"
_CONFIG = "application/vnd.oci.image.config.v1+json"
_LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"


def labels() -> dict[str, str]:
    prefix = "org.opencontainers.image."
    return {
        prefix + name: value
        for name, value in {
            "title": "phaseload",
            "description": "A phased HTTP load client",
            "version": VERSION,
            "revision": revision(),
            "created": CREATED,
            "licenses": "Apache-2.0",
            "url": URL,
            "source": URL,
            "documentation": URL,
        }.items()
        if value
    }


def fill(platform: str, jar: bytes, root: Path) -> list[bytes]:
    """Fills a folder with the system of an image. Its layers: Debian's files, the runtime, Phaseload."""
    debian.base(runtime.PLATFORMS[platform], root)
    for name in ("proc", "dev", "sys", "tmp", "work"):
        (root / name).mkdir(exist_ok=True)
    (root / "tmp").chmod(0o1777)
    (root / "etc/passwd").write_text(f"root:x:0:0:root:/:/bin/sh\nphaseload:x:{USER}:{USER}::/work:/bin/sh\n")
    (root / "etc/group").write_text(f"root:x:0:\nphaseload:x:{USER}:\n")
    (root / "etc/nsswitch.conf").write_text("hosts: files dns\n")
    age(root)
    layers = [tar(root, owners={"work": USER})]

    home = root / _HOME
    archive.lay(home, archive.without_other_natives(jar, (platform,)))
    runtime.of_debian(platform, home / "runtime")
    # Debian's authorities, as for other programs.
    cacerts = home / "runtime" / "lib" / "security" / "cacerts"
    cacerts.unlink(missing_ok=True)
    cacerts.symlink_to("/etc/ssl/certs/java/cacerts")
    if platform == runtime.own_platform():
        archive.train(home, root)
    layers.append(tar(home / "runtime", f"{_HOME}/runtime/"))
    with tempfile.TemporaryDirectory() as work:
        rest = Path(work) / "opt" / "phaseload"
        shutil.copytree(
            home, rest, ignore=lambda folder, names: ["runtime"] if Path(folder) == home else [], symlinks=True
        )
        age(rest)
        layers.append(tar(rest, f"{_HOME}/"))
    return layers


def config(platform: str, layers: list[bytes]) -> dict[str, object]:
    return {
        "created": CREATED,
        "architecture": runtime.PLATFORMS[platform],
        "os": "linux",
        "config": {
            "User": f"{USER}:{USER}",
            "WorkingDir": "/work",
            "Entrypoint": [f"/{_HOME}/bin/phaseload"],
            "Env": [
                f"PATH=/{_HOME}/bin:/usr/bin",
                "HOME=/work",
                "LANG=C.UTF-8",
                "PHASELOAD_JAVA_OPTS=-XX:MaxRAMPercentage=70",
            ],
            "Labels": labels(),
        },
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + sha256(layer) for layer in layers]},
        "history": [{"created": CREATED, "created_by": name} for name in ("Debian 13", "jlink", "Phaseload")],
    }


def build(platforms: tuple[str, ...], jar: bytes, out: Path, level: int) -> Path:
    """phaseload-VERSION-image.tar, an archive with an OCI layout."""
    blobs: dict[str, bytes] = {}

    def blob(content: bytes, media_type: str) -> dict[str, object]:
        blobs[sha256(content)] = content
        return {"mediaType": media_type, "digest": "sha256:" + sha256(content), "size": len(content)}

    def document(content: dict[str, object], media_type: str) -> dict[str, object]:
        return blob(json.dumps(content, indent=1).encode(), media_type)

    manifests = []
    for platform in platforms:
        with tempfile.TemporaryDirectory() as work:
            layers = fill(platform, jar, Path(work) / "root")
        manifest = document(
            {
                "schemaVersion": 2,
                "mediaType": _MANIFEST,
                "config": document(config(platform, layers), _CONFIG),
                "layers": [blob(gzipped(layer, level), _LAYER) for layer in layers],
                "annotations": labels(),
            },
            _MANIFEST,
        )
        manifests.append(manifest | {"platform": {"os": "linux", "architecture": runtime.PLATFORMS[platform]}})
    index = document(
        {"schemaVersion": 2, "mediaType": _INDEX, "manifests": manifests, "annotations": labels()}, _INDEX
    )
    index["annotations"] = {
        "org.opencontainers.image.ref.name": VERSION,
        "io.containerd.image.name": f"docker.io/library/phaseload:{VERSION}",
    }
    file = out / f"phaseload-{VERSION}-image.tar"
    with tarfile.open(file, "w") as layout:

        def add(name: str, content: bytes) -> None:
            info = tarfile.TarInfo(name)
            info.size, info.mtime, info.mode = len(content), EPOCH, 0o644
            layout.addfile(info, io.BytesIO(content))

        add("oci-layout", b'{"imageLayoutVersion": "1.0.0"}')
        add(
            "index.json",
            json.dumps({"schemaVersion": 2, "mediaType": _INDEX, "manifests": [index]}, indent=1).encode(),
        )
        for digest, content in sorted(blobs.items()):
            add(f"blobs/sha256/{digest}", content)
    return file
