"""A formula of Homebrew for the archive that needs Java, which Homebrew brings."""

from __future__ import annotations

from pathlib import Path

from files import URL, sha256

_FORMULA = """\
class Phaseload < Formula
  desc "Phased HTTP load client"
  homepage "{home}"
  url "{url}"
  sha256 "{sha256}"
  license "Apache-2.0"

  depends_on "openjdk"

  def install
    libexec.install Dir["*"]
    (bin/"phaseload").write_env_script libexec/"bin/phaseload", Language::Java.overridable_java_home_env
  end

  test do
    assert_match version.to_s, shell_output("#{{bin}}/phaseload --version")
  end
end
"""


def build(archive: Path, releases: str, out: Path) -> Path:
    """
    phaseload.rb

    :param releases: the address of the folder that the archive will be in
    """
    file = out / "phaseload.rb"
    file.write_text(
        _FORMULA.format(home=URL, url=f"{releases.rstrip('/')}/{archive.name}", sha256=sha256(archive.read_bytes()))
    )
    return file
