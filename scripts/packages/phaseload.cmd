@echo off
rem Starts Phaseload with JAVA_HOME's Java or the one on PATH, 17 or newer.
rem PHASELOAD_JAVA_OPTS has options for the JVM.
setlocal
set "PHASELOAD_JAVA=java"
if defined JAVA_HOME set "PHASELOAD_JAVA=%JAVA_HOME%\bin\java"
if exist "%~dp0..\runtime\bin\java.exe" set "PHASELOAD_JAVA=%~dp0..\runtime\bin\java"
"%PHASELOAD_JAVA%" %PHASELOAD_JAVA_OPTS% -jar "%~dp0..\lib\phaseload.jar" %*
exit /b %ERRORLEVEL%
